/**
 * From a workload to a recommendation. {@link io.shardwright.advisor.advice.Advisor} reads the
 * statements twice: templates and table groups first, then the values of the keys that the
 * templates use. {@link io.shardwright.advisor.advice.Judgement} scores keys and puts them in
 * order; {@link io.shardwright.advisor.advice.AdviceReport} tells it to people and programs.
 * Nothing asks or changes a database.
 */
package io.shardwright.advisor.advice;
