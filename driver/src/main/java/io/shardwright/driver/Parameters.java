package io.shardwright.driver;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Route.Argument;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import java.util.RandomAccess;

/**
 * The parameter values of one statement and the setters that gave them; as a list, the values in
 * order for the router, where null is SQL NULL. Not thread-safe.
 */
final class Parameters extends AbstractList<Object> implements RandomAccess {
  static final Parameters NONE = new Parameters(0);

  private final Setter[] setters;
  private final Object[] values;
  private Object[] extras;

  Parameters(int count) {
    this(new Setter[count], new Object[count], null);
  }

  private Parameters(Setter[] setters, Object[] values, Object[] extras) {
    this.setters = setters;
    this.values = values;
    this.extras = extras;
  }

  /** Values that the database takes as what they are compared with. */
  static Parameters of(DatabaseProduct product, List<?> values) throws SQLException {
    Parameters parameters = new Parameters(values.size());
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      if (value == null) {
        parameters.set(i + 1, Setter.NULL, null, Types.NULL);
      } else if (value instanceof String && product == DatabaseProduct.POSTGRESQL) {
        parameters.set(i + 1, Setter.OBJECT_TYPE, value, Types.OTHER);
      } else {
        parameters.set(i + 1, Setter.OBJECT, value, null);
      }
    }
    return parameters;
  }

  Parameters copy() {
    return new Parameters(setters.clone(), values.clone(), extras == null ? null : extras.clone());
  }

  /**
   * The parameters of a part of the statement.
   *
   * @param numbers from 0, of those that it has, in its order
   */
  Parameters select(List<Integer> numbers) {
    Parameters selected = new Parameters(numbers.size());
    for (int i = 0; i < numbers.size(); i++) {
      int number = numbers.get(i);
      selected.setters[i] = setters[number];
      selected.values[i] = values[number];
      if (extras != null) {
        selected.extras = selected.extras == null ? new Object[numbers.size()] : selected.extras;
        selected.extras[i] = extras[number];
      }
    }
    return selected;
  }

  /**
   * Dates and calendars are taken as they are now: the caller may use one object for the values of
   * many rows, and several threads bind it.
   */
  @SuppressWarnings("JavaUtilDate") // what JDBC's types are
  void set(int index, Setter setter, Object value, Object extra) throws SQLException {
    if (index < 1 || index > setters.length) {
      throw SqlErrors.of(
          ErrorCode.PARAMETER_MISSING,
          "parameter " + index + " does not exist; the statement has " + setters.length);
    }
    setters[index - 1] = setter;
    values[index - 1] = value instanceof java.util.Date date ? date.clone() : value;
    if (extra != null && extras == null) {
      extras = new Object[setters.length];
    }
    if (extras != null) {
      extras[index - 1] = extra instanceof Calendar calendar ? calendar.clone() : extra;
    }
  }

  /** Takes over a value of another statement, by its number from 0. */
  void set(int index, Parameters from, int number) throws SQLException {
    Object extra = from.extras == null ? null : from.extras[number];
    set(index, from.setters[number], from.values[number], extra);
  }

  void unset() {
    Arrays.fill(setters, null);
    Arrays.fill(values, null);
    extras = null;
  }

  /** A value that a Calendar changes on its way to the database: no route key type reads it. */
  record WithCalendar(Object value) {}

  @Override
  public Object get(int index) {
    boolean changed = extras != null && extras[index] instanceof Calendar && values[index] != null;
    return changed ? new WithCalendar(values[index]) : values[index];
  }

  @Override
  public int size() {
    return values.length;
  }

  void checkComplete() throws SQLException {
    for (int i = 0; i < setters.length; i++) {
      if (setters[i] == null) {
        throw SqlErrors.of(
            ErrorCode.PARAMETER_MISSING,
            "parameter " + (i + 1) + " of " + setters.length + " is not set; call a setter for it");
      }
    }
  }

  /** Refuses values that can be read only once where several shards would read them. */
  void checkRepeatable() throws SQLException {
    for (int i = 0; i < setters.length; i++) {
      if (setters[i] != null && setters[i].isStream()) {
        throw SqlErrors.unsupported(
            "a stream as parameter " + (i + 1) + " of a statement that goes to several shards",
            "use setBytes or setString");
      }
    }
  }

  void bind(PreparedStatement physical, List<Argument> arguments) throws SQLException {
    for (int i = 0; i < arguments.size(); i++) {
      Argument argument = arguments.get(i);
      if (argument instanceof Argument.Parameter parameter) {
        bind(physical, i + 1, parameter.index());
      } else if (argument instanceof Argument.Given given) {
        physical.setObject(i + 1, given.value());
      } else {
        physical.setLong(i + 1, ((Argument.Int64) argument).value());
      }
    }
  }

  /**
   * @param place of the {@code ?} in the physical statement, from 1
   * @param index of the caller's parameter, from 0
   */
  void bind(PreparedStatement physical, int place, int index) throws SQLException {
    setters[index].bind(physical, place, values[index], extras == null ? null : extras[index]);
  }
}
