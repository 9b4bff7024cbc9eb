package io.shardwright.server;

import io.shardwright.config.QueryAccess;
import io.shardwright.config.QueryAccess.Token;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.Caller;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * From the header of a request to its caller. Tokens are found by their hash, so that the time of a
 * search tells nothing about them. Thread-safe.
 */
final class Tokens {
  private static final String SCHEME = "Bearer ";

  private final QueryAccess access;
  private final Map<String, Token> byHash;
  private final InstantSource clock;

  Tokens(QueryAccess access, InstantSource clock) {
    this.access = access;
    this.clock = clock;
    this.byHash =
        access.tokens().stream().collect(Collectors.toMap(Token::sha256, Function.identity()));
  }

  /**
   * @param header null: there is none
   * @throws ShardwrightException SW806
   */
  Caller caller(String header) {
    if (byHash.isEmpty()) {
      return Caller.ANYONE;
    }
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw refused("there is none");
    }
    Token token = byHash.get(hash(header.substring(SCHEME.length()).strip()));
    if (token == null) {
      throw refused("this one is not known");
    }
    checkTime(token);
    return Caller.of(token, access);
  }

  /**
   * Who asked before, with the rights of now.
   *
   * @param name of the caller
   * @throws ShardwrightException SW806
   */
  Caller again(String name) {
    for (Token token : access.tokens()) {
      if (token.name().equals(name)) {
        checkTime(token);
      }
    }
    return Caller.of(name, access).orElseThrow(() -> refused("that of " + name + " is gone"));
  }

  private void checkTime(Token token) {
    if (token.expires().filter(end -> !clock.instant().isBefore(end)).isPresent()) {
      throw refused("that of " + token.name() + " expired at " + token.expires().get());
    }
  }

  private static ShardwrightException refused(String why) {
    return new ShardwrightException(
        ErrorCode.TOKEN_INVALID,
        "a query needs a token, and " + why + "; send Authorization: Bearer TOKEN");
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
