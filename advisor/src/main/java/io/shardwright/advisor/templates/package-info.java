/**
 * Statements of a workload without their values: what they have in common, and which columns they
 * use how.
 *
 * <p>Main flow: {@link io.shardwright.advisor.templates.Templates} takes records of logs, {@link
 * io.shardwright.advisor.templates.TemplateText} gives the text that equal statements share, {@link
 * io.shardwright.advisor.templates.StatementReader} reads tables and columns of it once.
 */
package io.shardwright.advisor.templates;
