/**
 * How fast jobs run whose handlers write to the database in the transaction that ends the
 * job. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.transactional;

import org.jspecify.annotations.NullMarked;
