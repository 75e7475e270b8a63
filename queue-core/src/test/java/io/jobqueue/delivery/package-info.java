/**
 * What each kind of delivery promises, on a real worker and database.
 */
@NullMarked
package io.jobqueue.delivery;

import org.jspecify.annotations.NullMarked;
