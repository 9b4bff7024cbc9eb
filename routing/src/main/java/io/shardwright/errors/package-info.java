/** The error catalogue: one enum of stable codes, and the exception that carries them. */
package io.shardwright.errors;
