package io.shardwright.bench.compare;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the process of one side is told when it starts.
 *
 * @param poolMax of each shard's pool; one server has as many as all shards of the largest set
 * @param newIds where the order ids begin that this side inserts
 * @param sets urls of the shards by the name of the set; of one server, the one url
 * @param catalogUrl for lookup indexes
 */
record Setup(
    Database database,
    Side side,
    String user,
    String password,
    int poolMax,
    Scale scale,
    long newIds,
    Map<String, List<String>> sets,
    String catalogUrl) {

  Setup {
    sets = Map.copyOf(sets);
  }

  Setup with(Map<String, List<String>> otherSets) {
    return new Setup(database, side, user, password, poolMax, scale, newIds, otherSets, catalogUrl);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(database.name());
    out.writeUTF(side.name());
    out.writeUTF(user);
    out.writeUTF(password);
    out.writeInt(poolMax);
    scale.write(out);
    out.writeLong(newIds);
    out.writeUTF(catalogUrl);
    out.writeInt(sets.size());
    for (Map.Entry<String, List<String>> set : sets.entrySet()) {
      out.writeUTF(set.getKey());
      out.writeInt(set.getValue().size());
      for (String url : set.getValue()) {
        out.writeUTF(url);
      }
    }
  }

  static Setup read(DataInputStream in) throws IOException {
    Database database = Database.valueOf(in.readUTF());
    Side side = Side.valueOf(in.readUTF());
    String user = in.readUTF();
    String password = in.readUTF();
    int poolMax = in.readInt();
    Scale scale = Scale.read(in);
    long newIds = in.readLong();
    String catalogUrl = in.readUTF();
    Map<String, List<String>> sets = new TreeMap<>();
    for (int set = in.readInt(); set > 0; set--) {
      String name = in.readUTF();
      List<String> urls = new ArrayList<>();
      for (int url = in.readInt(); url > 0; url--) {
        urls.add(in.readUTF());
      }
      sets.put(name, urls);
    }
    return new Setup(database, side, user, password, poolMax, scale, newIds, sets, catalogUrl);
  }
}
