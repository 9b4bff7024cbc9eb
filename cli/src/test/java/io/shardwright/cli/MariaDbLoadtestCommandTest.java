package io.shardwright.cli;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.util.List;

class MariaDbLoadtestCommandTest extends LoadtestCommandContract {
  private static final EmbeddedMariaDbServer SERVER = EmbeddedMariaDbServer.shared();

  @Override
  String createDatabase() {
    return SERVER.createDatabase("loadtest");
  }

  @Override
  String user() {
    return SERVER.user();
  }

  @Override
  String password() {
    return SERVER.password();
  }

  @Override
  String databasesQuery() {
    return "SELECT schema_name FROM information_schema.schemata ORDER BY 1";
  }

  @Override
  List<String> weakUser(String name) {
    return List.of(
        "CREATE USER " + name + "@'%' IDENTIFIED BY 'weak'",
        "GRANT ALL ON `loadtest\\_%`.* TO " + name + "@'%'");
  }

  @Override
  String grant(String user) {
    return "GRANT ALL PRIVILEGES ON `shardwright\\_loadtest\\_%`.* TO '" + user + "'@'%'";
  }
}
