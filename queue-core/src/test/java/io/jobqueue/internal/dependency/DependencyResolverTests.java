package io.jobqueue.internal.dependency;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationListener;
import org.springframework.context.support.StaticApplicationContext;

import io.jobqueue.JobDied;
import io.jobqueue.JobState;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What is resolved in which order, what is left, and what is published of it, with a
 * store whose results are given.
 */
class DependencyResolverTests implements DependencyStore, JobSignals.Listener {

	private static final UUID PREDECESSOR = new UUID(1, 0);

	private static final UUID JOB = new UUID(2, 0);

	private static final Tier EMAILS = new Tier("emails", 10);

	private final Queue<Resolution> resolutions = new ArrayDeque<>();

	private final Queue<Release> releases = new ArrayDeque<>();

	private Failure failure = new Failure(List.of(), List.of());

	private final Set<UUID> settled = new HashSet<>();

	private final JobFollower follower = new JobFollower() {

		@Override
		public Followed follow(Collection<UUID> jobs) {
			return new Followed(Set.of(), DependencyResolverTests.this.settled);
		}

		@Override
		public void sweep() {
		}

	};

	private Sweep swept = new Sweep(Set.of(), Set.of(), null);

	private List<UUID> batches = List.of();

	private @Nullable UUID refusing;

	private final List<Set<UUID>> resolved = new ArrayList<>();

	private final List<Set<UUID>> released = new ArrayList<>();

	private final Map<UUID, @Nullable Duration> failed = new HashMap<>();

	private final List<@Nullable Object> sweptAfter = new ArrayList<>();

	private final List<EndedJob> counted = new ArrayList<>();

	private final List<DueJob> offered = new ArrayList<>();

	private final List<WakeUp> signalled = new ArrayList<>();

	private final StaticApplicationContext context = new StaticApplicationContext();

	private final JobEvents events = new JobEvents(this.context, "node");

	private final JobSignals signals = new JobSignals();

	private final DependencyResolver resolver = new DependencyResolver(this, this.follower, this.signals, this.events,
			(queue) -> queue.equals("emails") ? Duration.ofDays(7) : null, this.counted::add);

	DependencyResolverTests() {
		this.signals.subscribe(this);
	}

	@Test
	void jobsAreReleasedBeforeAndAfterPredecessorsAreResolved() {
		UUID locked = new UUID(1, 1);
		UUID lockedJob = new UUID(2, 1);
		UUID satisfied = new UUID(2, 2);
		this.resolutions.add(new Resolution(List.of(available(1)), Set.of(satisfied), Map.of(), false, Set.of(locked)));
		this.releases.add(new Release(List.of(), List.of(available(0)), Set.of(lockedJob)));
		this.releases.add(new Release(List.of(), List.of(available(2)), Set.of()));
		PendingDependencies work = work(Set.of(PREDECESSOR), Set.of(JOB));
		assertThat(this.resolver.resolve(work)).isEqualTo(work(Set.of(locked), Set.of(lockedJob)));
		assertThat(work.isEmpty()).isTrue();
		assertThat(this.resolved).containsExactly(Set.of(PREDECESSOR));
		assertThat(this.released).containsExactly(Set.of(JOB), Set.of(satisfied));
		assertThat(this.signalled).containsExactly(available(0), available(1), available(2));
	}

	@Test
	void predecessorIsResolvedUntilNoDependencyIsLeft() {
		this.resolutions.add(resolution(Set.of(), Map.of(), true));
		resolve(Set.of(PREDECESSOR));
		assertThat(this.resolved).containsExactly(Set.of(PREDECESSOR), Set.of(PREDECESSOR));
		assertThat(this.released).isEmpty();
	}

	@Test
	void manyPredecessorsAreResolvedInPortions() {
		resolve(ids(501));
		assertThat(this.resolved).extracting(Set::size).containsExactly(500, 1);
	}

	@Test
	void settledJobIsNotResolved() {
		UUID step = new UUID(1, 1);
		this.settled.add(step);
		resolve(Set.of(PREDECESSOR, step));
		assertThat(this.resolved).containsExactly(Set.of(PREDECESSOR));
		resolve(Set.of(step));
		assertThat(this.resolved).hasSize(1);
	}

	/**
	 * Steps of a workflow that end together are in one portion.
	 */
	@Test
	void predecessorsAreResolvedInTheOrderOfTheirEnds() {
		List<UUID> all = new ArrayList<>(ids(1_000));
		Collections.shuffle(all);
		resolve(new LinkedHashSet<>(all));
		assertThat(this.resolved).containsExactly(Set.copyOf(all.subList(0, 500)), Set.copyOf(all.subList(500, 1_000)));
	}

	@Test
	void singleDueJobIsOfferedToAHandler() {
		this.releases.add(new Release(List.of(due(0)), List.of(), Set.of()));
		this.releases.add(new Release(List.of(due(1), due(2)), List.of(), Set.of()));
		release();
		assertThat(this.offered).containsExactly(due(0));
		assertThat(this.signalled).isEmpty();
		release();
		assertThat(this.signalled).containsExactly(available(1), available(2));
	}

	private void release() {
		assertThat(this.resolver.resolve(work(Set.of(), Set.of(JOB))).isEmpty()).isTrue();
	}

	@Test
	void jobThatFailsWithAPredecessorIsResolvedItself() {
		UUID forever = new UUID(2, 1);
		this.resolutions.add(resolution(Set.of(), Map.of(JOB, "emails", forever, "audits"), false));
		this.failure = new Failure(List.of(ended(JOB, true), ended(forever, false)), List.of(available(0)));
		assertThat(resolve(Set.of(PREDECESSOR)).isEmpty()).isTrue();
		Map<UUID, @Nullable Duration> retentions = new HashMap<>();
		retentions.put(JOB, Duration.ofDays(7));
		retentions.put(forever, null);
		assertThat(this.failed).isEqualTo(retentions);
		assertThat(this.signalled).containsExactly(available(0));
		assertThat(this.resolved).containsExactly(Set.of(PREDECESSOR), Set.of(JOB));
	}

	@Test
	void jobThatFailsWithAPredecessorIsLoggedCountedAndPublished() {
		EndedJob dead = ended(JOB, false);
		this.resolutions.add(resolution(Set.of(), Map.of(JOB, "emails"), false));
		this.failure = new Failure(List.of(dead), List.of());
		List<Object> published = new ArrayList<>();
		this.context.refresh();
		this.context.addApplicationListener(ApplicationListener.forPayload(published::add));
		this.events.start();
		try (CapturedLog log = new CapturedLog()) {
			assertThat(resolve(Set.of(PREDECESSOR)).isEmpty()).isTrue();
			assertThat(log.mdc("is dead: a predecessor failed")).singleElement()
				.extracting((entries) -> entries.get("job.id"))
				.isEqualTo(JOB.toString());
		}
		this.events.stop();
		assertThat(this.counted).containsExactly(dead);
		assertThat(published).containsExactly(new JobDied(JobInfos.of(dead), null));
	}

	@Test
	void predecessorOfALockedJobThatIsToFailIsLeft() {
		this.resolutions.add(resolution(Set.of(), Map.of(JOB, "emails"), true));
		assertThat(resolve(Set.of(PREDECESSOR))).isEqualTo(work(Set.of(PREDECESSOR), Set.of()));
		assertThat(this.resolved).containsExactly(Set.of(PREDECESSOR));
	}

	@Test
	void lockedPredecessorIsLeftIfALaterStepThrows() {
		UUID locked = new UUID(1, 1);
		UUID lockedJob = new UUID(2, 1);
		UUID failing = new UUID(2, 2);
		this.releases.add(new Release(List.of(), List.of(), Set.of(lockedJob)));
		this.resolutions.add(new Resolution(List.of(), Set.of(), Map.of(failing, "emails"), false, Set.of(locked)));
		this.failure = new Failure(List.of(ended(failing, true)), List.of());
		PendingDependencies work = work(Set.of(PREDECESSOR), Set.of(JOB));
		this.refusing = failing;
		assertThatIllegalStateException().isThrownBy(() -> this.resolver.resolve(work));
		assertThat(work).isEqualTo(work(Set.of(locked, failing), Set.of(lockedJob)));
	}

	/**
	 * The job has ended: no second resolution would find it.
	 */
	@Test
	void successorOfADeadJobIsLeftIfTheCounterThrows() {
		this.resolutions.add(resolution(Set.of(), Map.of(JOB, "emails"), false));
		this.failure = new Failure(List.of(ended(JOB, true)), List.of());
		PendingDependencies work = work(Set.of(PREDECESSOR), Set.of());
		DependencyResolver failing = new DependencyResolver(this, this.follower, this.signals, this.events,
				(queue) -> null, (job) -> {
					throw new IllegalStateException("The registry is closed");
				});
		assertThatIllegalStateException().isThrownBy(() -> failing.resolve(work));
		assertThat(work).isEqualTo(work(Set.of(JOB), Set.of()));
	}

	@Test
	void sweepContinuesBehindThePreviousOne() {
		Position position = new Position(PREDECESSOR, JOB);
		this.swept = new Sweep(Set.of(PREDECESSOR), new HashSet<>(Set.of(JOB)), position);
		this.batches = List.copyOf(ids(1_000));
		this.resolver.sweep();
		assertThat(this.released).containsExactly(Set.of(JOB));
		assertThat(this.resolved).hasSize(3);
		Set<UUID> all = new HashSet<>(this.batches);
		all.add(PREDECESSOR);
		assertThat(this.resolved.stream().flatMap(Set::stream)).containsExactlyInAnyOrderElementsOf(all);
		UUID last = this.batches.get(999);
		this.batches = List.of(new UUID(3, 0));
		this.resolver.sweep();
		this.resolver.sweep();
		assertThat(this.sweptAfter).containsExactly(null, null, position, last, position, null);
	}

	/**
	 * A job that cannot be ended, for example, does not keep the sweep from the others.
	 */
	@Test
	void sweepThatFailsContinuesBehindThat() {
		Position position = new Position(PREDECESSOR, JOB);
		this.swept = new Sweep(Set.of(PREDECESSOR), new HashSet<>(), position);
		this.refusing = PREDECESSOR;
		assertThatIllegalStateException().isThrownBy(this.resolver::sweep);
		assertThatIllegalStateException().isThrownBy(this.resolver::sweep);
		assertThat(this.sweptAfter).containsExactly(null, null, position, null);
	}

	private PendingDependencies resolve(Set<UUID> predecessors) {
		return this.resolver.resolve(work(predecessors, Set.of()));
	}

	private static PendingDependencies work(Set<UUID> predecessors, Set<UUID> jobs) {
		return new PendingDependencies(new LinkedHashSet<>(predecessors), new LinkedHashSet<>(jobs));
	}

	private static Set<UUID> ids(int count) {
		return LongStream.range(0, count).mapToObj((number) -> new UUID(3, number)).collect(Collectors.toSet());
	}

	private static Resolution resolution(Set<UUID> satisfied, Map<UUID, String> failing, boolean more) {
		return new Resolution(List.of(), satisfied, failing, more, Set.of());
	}

	private static DueJob due(int seq) {
		return new DueJob(new UUID(2, seq), "mail", available(seq));
	}

	private static JobsAvailable available(int seq) {
		return new JobsAvailable(EMAILS, new JobPosition(Instant.EPOCH, seq), Duration.ZERO);
	}

	private static EndedJob ended(UUID job, boolean hasSuccessors) {
		return new EndedJob(job, JobState.DEAD, EMAILS, "mail", Instant.EPOCH, 0, null, Instant.EPOCH, null,
				hasSuccessors, null, false);
	}

	@Override
	public Resolution resolve(Collection<UUID> predecessors) {
		if (this.refusing != null && predecessors.contains(this.refusing)) {
			throw new IllegalStateException("The archive refuses the job");
		}
		this.resolved.add(Set.copyOf(predecessors));
		return Objects.requireNonNullElse(this.resolutions.poll(), resolution(Set.of(), Map.of(), false));
	}

	@Override
	public Release release(Collection<UUID> jobs) {
		this.released.add(Set.copyOf(jobs));
		return Objects.requireNonNullElse(this.releases.poll(), new Release(List.of(), List.of(), Set.of()));
	}

	@Override
	public Failure fail(Map<UUID, @Nullable Duration> jobs) {
		this.failed.putAll(jobs);
		return this.failure;
	}

	@Override
	public Sweep sweep(@Nullable Position last, int limit) {
		this.sweptAfter.add(last);
		return this.swept;
	}

	@Override
	public List<UUID> sealedBatches(@Nullable UUID last, int limit) {
		this.sweptAfter.add(last);
		return this.batches;
	}

	@Override
	public void onWakeUps(Collection<? extends WakeUp> wakeUps) {
		this.signalled.addAll(wakeUps);
	}

	@Override
	public boolean offer(DueJob job) {
		return this.offered.add(job);
	}

}
