package io.shardwright.lookup;

import io.shardwright.catalog.IndexName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Places that processes share; it may know nothing at any time, and never fails. Others name this
 * and not {@link RedisCache}, whose client an application has only when it uses Redis: the JVM must
 * not look for that class before.
 */
interface SharedCache extends AutoCloseable {
  Optional<Places> get(IndexName index, long version, List<Object> values);

  void put(IndexName index, long version, List<Object> values, Places places, Duration expire);

  void remove(IndexName index, long version, List<Object> values);

  /** Times that it did not answer. */
  long failures();

  @Override
  void close();
}
