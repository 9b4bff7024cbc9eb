/** Pages for people: one file each, without network or scripts. */
package io.shardwright.advisor.report;
