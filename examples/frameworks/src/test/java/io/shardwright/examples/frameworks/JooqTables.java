package io.shardwright.examples.frameworks;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import org.jooq.TableField;
import org.jooq.UniqueKey;
import org.jooq.impl.DSL;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jooq.impl.UpdatableRecordImpl;

/**
 * What jOOQ's code generator makes, by hand and shorter. The primary keys leave bucket_id out: the
 * id alone is unique and leads to the shard.
 */
final class JooqTables {
  private JooqTables() {}

  static final class Orders extends TableImpl<OrderRecord> {
    static final Orders ORDERS = new Orders();

    final TableField<OrderRecord, Long> orderId =
        createField(DSL.name("order_id"), SQLDataType.BIGINT.nullable(false), this);
    final TableField<OrderRecord, Long> tenantId =
        createField(DSL.name("tenant_id"), SQLDataType.BIGINT.nullable(false), this);
    final TableField<OrderRecord, Long> buyerId =
        createField(DSL.name("buyer_id"), SQLDataType.BIGINT.nullable(false), this);
    final TableField<OrderRecord, Long> sellerId =
        createField(DSL.name("seller_id"), SQLDataType.BIGINT.nullable(false), this);
    final TableField<OrderRecord, String> clientKey =
        createField(DSL.name("client_key"), SQLDataType.CLOB.nullable(false), this);
    final TableField<OrderRecord, String> buyerName =
        createField(DSL.name("buyer_name"), SQLDataType.CLOB.nullable(false), this);
    final TableField<OrderRecord, String> status =
        createField(DSL.name("status"), SQLDataType.CLOB.nullable(false), this);
    final TableField<OrderRecord, Long> amountCent =
        createField(DSL.name("amount_cent"), SQLDataType.BIGINT.nullable(false), this);
    final TableField<OrderRecord, Integer> lineCount =
        createField(DSL.name("line_count"), SQLDataType.INTEGER.nullable(false), this);
    final TableField<OrderRecord, OffsetDateTime> createdAt =
        createField(DSL.name("created_at"), SQLDataType.TIMESTAMPWITHTIMEZONE(6), this);
    final TableField<OrderRecord, OffsetDateTime> updatedAt =
        createField(DSL.name("updated_at"), SQLDataType.TIMESTAMPWITHTIMEZONE(6), this);
    final TableField<OrderRecord, Integer> version =
        createField(DSL.name("version"), SQLDataType.INTEGER.nullable(false), this);

    private Orders() {
      super(DSL.name("orders"));
    }

    @Override
    public Class<OrderRecord> getRecordType() {
      return OrderRecord.class;
    }

    @Override
    public UniqueKey<OrderRecord> getPrimaryKey() {
      return Internal.createUniqueKey(this, orderId);
    }

    @Override
    public TableField<OrderRecord, ?> getRecordVersion() {
      return version;
    }
  }

  static final class OrderRecord extends UpdatableRecordImpl<OrderRecord> {
    OrderRecord() {
      super(Orders.ORDERS);
    }
  }

  static final class Items extends TableImpl<ItemRecord> {
    static final Items ITEMS = new Items();

    final TableField<ItemRecord, Long> orderId =
        createField(DSL.name("order_id"), SQLDataType.BIGINT.nullable(false), this);
    final TableField<ItemRecord, Integer> lineNo =
        createField(DSL.name("line_no"), SQLDataType.INTEGER.nullable(false), this);
    final TableField<ItemRecord, Long> tenantId =
        createField(DSL.name("tenant_id"), SQLDataType.BIGINT.nullable(false), this);
    final TableField<ItemRecord, Long> buyerId =
        createField(DSL.name("buyer_id"), SQLDataType.BIGINT.nullable(false), this);
    final TableField<ItemRecord, String> stockCode =
        createField(DSL.name("stock_code"), SQLDataType.CLOB.nullable(false), this);
    final TableField<ItemRecord, String> description =
        createField(DSL.name("description"), SQLDataType.CLOB.nullable(false), this);
    final TableField<ItemRecord, Integer> quantity =
        createField(DSL.name("quantity"), SQLDataType.INTEGER.nullable(false), this);
    final TableField<ItemRecord, BigDecimal> unitPrice =
        createField(DSL.name("unit_price"), SQLDataType.NUMERIC(12, 3).nullable(false), this);
    final TableField<ItemRecord, BigDecimal> amount =
        createField(DSL.name("amount"), SQLDataType.NUMERIC(14, 3).nullable(false), this);

    private Items() {
      super(DSL.name("order_items"));
    }

    @Override
    public Class<ItemRecord> getRecordType() {
      return ItemRecord.class;
    }

    @Override
    public UniqueKey<ItemRecord> getPrimaryKey() {
      return Internal.createUniqueKey(this, orderId, lineNo);
    }
  }

  static final class ItemRecord extends UpdatableRecordImpl<ItemRecord> {
    ItemRecord() {
      super(Items.ITEMS);
    }
  }
}
