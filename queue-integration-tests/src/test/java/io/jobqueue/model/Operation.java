package io.jobqueue.model;

/**
 * Something that happens, to the database and to the model alike. What makes no sense at
 * the time (a worker without jobs records one), or would wait for a lock, does not
 * happen. Numbers begin with 0, and go round where there are fewer.
 */
sealed interface Operation permits BeginCompletion, CheckIn, CheckOut, Claim, Delete, EndTransaction, Enqueue, Extend,
		Freeze, Release, Pass, Purge, Reap, Reprioritise, Reschedule, Restart, RecordOutcomes {

	void happenIn(World world);

}
