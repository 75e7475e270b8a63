package io.jobqueue.docs;

/**
 * A payload.
 */
record LabelWanted(long parcel) {
}
