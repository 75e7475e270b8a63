package io.jobqueue.docs;

/**
 * A product that has to be found as it is now.
 */
record ProductChanged(long productId) {
}
