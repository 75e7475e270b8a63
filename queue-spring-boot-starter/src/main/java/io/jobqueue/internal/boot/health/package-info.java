/**
 * Health of the queue on this node. Not API.
 */
@NullMarked
package io.jobqueue.internal.boot.health;

import org.jspecify.annotations.NullMarked;
