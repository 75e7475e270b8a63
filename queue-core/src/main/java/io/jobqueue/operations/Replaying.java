package io.jobqueue.operations;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.OperationStore;
import io.jobqueue.store.OperationStore.ChangeResult;
import io.jobqueue.store.SearchStore.FoundJob;

/**
 * Has copies of archived jobs run.
 */
final class Replaying {

	private final OperationStore store;

	private final JobSignals signals;

	private final Supplier<UUID> ids;

	private final OperationErrors refusals;

	Replaying(OperationParts parts) {
		this.store = parts.jobs();
		this.signals = parts.signals();
		this.ids = parts.ids();
		this.refusals = new OperationErrors(parts.search());
	}

	UUID replay(UUID id) {
		FoundJob job = this.refusals.requireFinished(id);
		ChangeResult changed = replayed(List.of(job));
		return changed.jobs().stream().findFirst().orElseThrow(() -> OperationErrors.changing(job));
	}

	long replay(Collection<FoundJob> jobs) {
		return replayed(jobs).jobs().size();
	}

	private ChangeResult replayed(Collection<FoundJob> jobs) {
		Map<UUID, UUID> copies = new LinkedHashMap<>();
		jobs.forEach((job) -> copies.put(job.id(), this.ids.get()));
		ChangeResult changed = this.store.replay(copies);
		this.signals.publish(changed.available());
		return changed;
	}

}
