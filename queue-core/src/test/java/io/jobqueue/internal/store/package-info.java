/**
 * Tests of what the port to the database is made of.
 */
@NullMarked
package io.jobqueue.internal.store;

import org.jspecify.annotations.NullMarked;
