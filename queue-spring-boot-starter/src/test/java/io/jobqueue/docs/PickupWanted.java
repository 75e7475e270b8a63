package io.jobqueue.docs;

/**
 * A payload.
 */
record PickupWanted(long parcel) {
}
