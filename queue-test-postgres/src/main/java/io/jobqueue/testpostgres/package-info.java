/**
 * What the tests of this build run on: a real PostgreSQL and other JVMs. Never published.
 */
@NullMarked
package io.jobqueue.testpostgres;

import org.jspecify.annotations.NullMarked;
