package io.jobqueue.internal.worker;

import java.util.Set;

import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.worker.fetch.ClaimRequests;
import io.jobqueue.internal.worker.fetch.JobFetcher;
import io.jobqueue.internal.worker.fetch.ServedTypes;

/**
 * Serves fixed types while they are not paused.
 */
public final class UnpausedTypes implements JobFetcher.Serving {

	private final ServedTypes types;

	private final ClaimRequests requests;

	private final Pauses pauses;

	private volatile Set<PauseTarget> applied = Set.of();

	/**
	 * Create types, of which none is paused yet.
	 * @param types the types
	 * @param requests the requests for claims, which serve all of them
	 * @param pauses the paused queues and types
	 */
	public UnpausedTypes(ServedTypes types, ClaimRequests requests, Pauses pauses) {
		this.types = types;
		this.requests = requests;
		this.pauses = pauses;
	}

	@Override
	public boolean isOutdated(boolean claiming) {
		return !this.pauses.current(claiming).equals(this.applied);
	}

	@Override
	public void update() {
		Set<PauseTarget> paused = this.pauses.current(false);
		this.requests.serve(this.types.without(paused));
		this.applied = paused;
	}

}
