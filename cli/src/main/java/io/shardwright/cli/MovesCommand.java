package io.shardwright.cli;

import io.shardwright.catalog.Move;
import io.shardwright.migration.Moves;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells how far moves are. */
@Command(
    name = "moves",
    description = {
      "List moves that have not ended, or tell all of one.",
      "Pauses are how long the buckets of one batch could not be written: p50/p99/max in ms."
    })
final class MovesCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "ID", arity = "0..1", description = "The number of a move.")
  private Long id;

  @Option(names = "--all", description = "Also those that have ended.")
  private boolean all;

  @Mixin private ConfigurationFile configuration;
  @Mixin private JsonOption json;

  MovesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (Moves moves = new Moves(configuration.read(), MovesAtWork.processName())) {
      if (id == null) {
        List<Move> some =
            moves.list().stream().filter(move -> all || !move.state().hasEnded()).toList();
        print(some);
      } else if (json.isSet()) {
        Map<String, Object> move = MoveWords.json(moves.find(id));
        move.put("verification", moves.verified(id).map(ComparisonWords::json));
        move.put("stages", moves.stages(id).stream().map(MoveWords::json).toList());
        Json.print(console, move);
      } else {
        MoveWords.printAll(console, moves.find(id));
        MoveWords.printStages(console, moves.stages(id));
        moves
            .verified(id)
            .ifPresent(v -> MoveWords.line(console, "verified", ComparisonWords.line(v)));
      }
      return ExitCode.OK.number();
    }
  }

  private void print(List<Move> some) {
    if (json.isSet()) {
      Json.print(console, Json.object("moves", some.stream().map(MoveWords::json).toList()));
    } else if (some.isEmpty()) {
      console.println(
          all ? "no bucket was ever moved" : "nothing moves; --all lists what has ended");
    } else {
      MoveWords.print(console, some);
    }
  }
}
