/**
 * Health of the queue on this node.
 */
@NullMarked
package io.jobqueue.boot.health;

import org.jspecify.annotations.NullMarked;
