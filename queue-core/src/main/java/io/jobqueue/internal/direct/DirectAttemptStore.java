package io.jobqueue.internal.direct;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobReceipt;
import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.store.AttemptStore;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.SourceStore;
import io.jobqueue.internal.store.SourceStore.Assignment;
import io.jobqueue.internal.store.SourceStore.AttemptedJob;
import io.jobqueue.internal.store.SourceStore.SourceLostException;
import io.jobqueue.internal.store.SourceStore.Written;

/**
 * The attempts of jobs that are no rows before an outcome is recorded: their leases need
 * no database, and an outcome inserts the job.
 */
final class DirectAttemptStore implements AttemptStore {

	private static final Logger logger = LoggerFactory.getLogger(DirectAttemptStore.class);

	private static final CompletionResult NOTHING = new CompletionResult(Set.of(), List.of(), Set.of(), Set.of());

	private final OpenJobs open;

	private final Outbox outbox;

	private final SourceStore sources;

	DirectAttemptStore(OpenJobs open, Outbox outbox, SourceStore sources) {
		this.open = open;
		this.outbox = outbox;
		this.sources = sources;
	}

	@Override
	public CompletionResult recordOutcomes(UUID worker, Collection<? extends Outcome> outcomes,
			Collection<Long> endedClaims, CompletionEffects effects) {
		List<AttemptedJob> attempts = outcomes.stream().map(this::attempt).filter(Objects::nonNull).toList();
		return attempts.isEmpty() ? NOTHING : record(worker, attempts);
	}

	private @Nullable AttemptedJob attempt(Outcome outcome) {
		DirectJob job = this.open.find(outcome.id());
		return (job != null) ? new AttemptedJob(job.job(), job.assignment(), outcome) : null;
	}

	/**
	 * Jobs of sources that other nodes own are left to these.
	 */
	private CompletionResult record(UUID worker, List<AttemptedJob> attempts) {
		try {
			return write(worker, attempts);
		}
		catch (SourceLostException ex) {
			Predicate<AttemptedJob> lost = (attempt) -> ex.lost().contains(attempt.assignment());
			logger.warn("Other nodes have taken over {}; what is not stored of them is left to these nodes",
					ex.lost().stream().map(Assignment::source).sorted().toList());
			attempts.stream().filter(lost).forEach((attempt) -> this.open.written(attempt.job().id(), Ending.LOST));
			List<AttemptedJob> rest = attempts.stream().filter(lost.negate()).toList();
			return rest.isEmpty() ? NOTHING : record(worker, rest);
		}
	}

	private CompletionResult write(UUID worker, List<AttemptedJob> attempts) {
		List<NewJob> jobs = attempts.stream().map(AttemptedJob::job).toList();
		List<CompletionResult> results = new ArrayList<>();
		List<JobReceipt> receipts = this.outbox.enqueueEncoded(jobs, (all) -> {
			Written written = this.sources.enqueue(worker, attempts);
			results.add(written.ended());
			return written.enqueued();
		});
		Set<UUID> recorded = new HashSet<>();
		for (int index = 0; index < jobs.size(); index++) {
			boolean accepted = receipts.get(index).accepted();
			UUID id = jobs.get(index).id();
			if (accepted) {
				recorded.add(id);
			}
			this.open.written(id, accepted ? Ending.STORED : Ending.DUPLICATE);
		}
		CompletionResult ended = results.get(0);
		return new CompletionResult(recorded, ended.available(), ended.cancelled(), ended.predecessors());
	}

	@Override
	public Set<UUID> extendLeases(UUID worker, Collection<ClaimedJob> jobs, Duration duration) {
		return jobs.stream().map(ClaimedJob::id).collect(Collectors.toSet());
	}

	/**
	 * There is no row for the progress of a job.
	 */
	@Override
	public Set<UUID> report(UUID worker, Collection<ProgressReport> reports) {
		return reports.stream().map(ProgressReport::id).collect(Collectors.toSet());
	}

	/**
	 * There is no row that could be locked.
	 */
	@Override
	public Set<UUID> locked(Collection<UUID> jobs) {
		return Set.of();
	}

}
