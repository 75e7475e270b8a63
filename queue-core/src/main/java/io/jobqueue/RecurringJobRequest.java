package io.jobqueue;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;

/**
 * A schedule and the job that each of its ticks enqueues. Immutable: each option returns
 * a copy.
 *
 * <pre class="code">
 * RecurringJobRequest.of("digest-42", new Digest(42))
 *     .cron("0 0 7 * * MON-FRI")
 *     .zone(ZoneId.of("Europe/Berlin"))</pre>
 *
 * <p>
 * A request needs either {@link #cron} or {@link #fixedRate}. {@link RecurringJobs#save}
 * checks it. A value that is {@code null} is refused with a {@link JobRejectedException}.
 */
@CheckReturnValue
public final class RecurringJobRequest {

	private final String name;

	private final JobRequest job;

	private @Nullable String cron;

	private @Nullable Duration fixedRate;

	private @Nullable ZoneId zone;

	private Misfire misfire = Misfire.ONCE;

	private Overlap overlap = Overlap.SKIP;

	private Duration jitter = Duration.ZERO;

	private RecurringJobRequest(String name, JobRequest job) {
		this.name = name;
		this.job = job;
	}

	private RecurringJobRequest(RecurringJobRequest other) {
		this(other.name, other.job);
		this.cron = other.cron;
		this.fixedRate = other.fixedRate;
		this.zone = other.zone;
		this.misfire = other.misfire;
		this.overlap = other.overlap;
		this.jitter = other.jitter;
	}

	/**
	 * Request a schedule.
	 * @param name its name, unique among the schedules of a database: at most 200
	 * printable characters without spaces
	 * @param requestOrPayload the payload of each job, or a {@link JobRequest} with
	 * further options. Of these, a schedule takes the queue, the type, the priority, the
	 * group, the headers and the limits of attempts and run time
	 * @return the request
	 */
	public static RecurringJobRequest of(String name, Object requestOrPayload) {
		Object job = JobRequest.required("payload", requestOrPayload);
		return new RecurringJobRequest(JobRequest.required("name", name),
				(job instanceof JobRequest request) ? request : JobRequest.of(job));
	}

	/**
	 * Set the cron expression, in the six fields of Spring's {@code @Scheduled}.
	 * @param cron the expression
	 * @return a copy with that expression
	 */
	public RecurringJobRequest cron(String cron) {
		return with((copy) -> copy.cron = JobRequest.required("cron", cron));
	}

	/**
	 * Set the time from one tick to the next, at least one second. Ticks count from the
	 * first {@link RecurringJobs#save save} of the name.
	 * @param fixedRate the time
	 * @return a copy with that rate
	 */
	public RecurringJobRequest fixedRate(Duration fixedRate) {
		return with((copy) -> copy.fixedRate = JobRequest.required("fixedRate", fixedRate));
	}

	/**
	 * Set the time zone in which the cron expression is evaluated. Default:
	 * {@code jobqueue.recurring-zone}, else UTC.
	 * @param zone the zone
	 * @return a copy with that zone
	 */
	public RecurringJobRequest zone(ZoneId zone) {
		return with((copy) -> copy.zone = JobRequest.required("zone", zone));
	}

	/**
	 * Set which jobs are enqueued for missed ticks. Default: {@link Misfire#ONCE}.
	 * @param misfire the policy
	 * @return a copy with that policy
	 */
	public RecurringJobRequest misfire(Misfire misfire) {
		return with((copy) -> copy.misfire = JobRequest.required("misfire", misfire));
	}

	/**
	 * Set what a tick does while the job of an earlier tick is live. Default:
	 * {@link Overlap#SKIP}.
	 * @param overlap the policy
	 * @return a copy with that policy
	 */
	public RecurringJobRequest overlap(Overlap overlap) {
		return with((copy) -> copy.overlap = JobRequest.required("overlap", overlap));
	}

	/**
	 * Set the longest random delay of each job after its tick. Default: none.
	 * @param jitter the delay, not negative
	 * @return a copy with that delay
	 */
	public RecurringJobRequest jitter(Duration jitter) {
		return with((copy) -> copy.jitter = JobRequest.required("jitter", jitter));
	}

	/**
	 * Return the name of the schedule.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the job that each tick enqueues.
	 * @return the job
	 */
	public JobRequest job() {
		return this.job;
	}

	/**
	 * Return the cron expression.
	 * @return the expression, or {@code null} for none
	 */
	public @Nullable String cron() {
		return this.cron;
	}

	/**
	 * Return the time from one tick to the next.
	 * @return the time, or {@code null} for none
	 */
	public @Nullable Duration fixedRate() {
		return this.fixedRate;
	}

	/**
	 * Return the time zone of the cron expression.
	 * @return the zone, or {@code null} for the default
	 */
	public @Nullable ZoneId zone() {
		return this.zone;
	}

	/**
	 * Return which jobs are enqueued for missed ticks.
	 * @return the policy
	 */
	public Misfire misfire() {
		return this.misfire;
	}

	/**
	 * Return what a tick does while the job of an earlier tick is live.
	 * @return the policy
	 */
	public Overlap overlap() {
		return this.overlap;
	}

	/**
	 * Return the longest random delay of each job after its tick.
	 * @return the delay
	 */
	public Duration jitter() {
		return this.jitter;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RecurringJobRequest that && this.name.equals(that.name) && this.job.equals(that.job)
				&& Objects.equals(this.cron, that.cron) && Objects.equals(this.fixedRate, that.fixedRate)
				&& Objects.equals(this.zone, that.zone) && this.misfire == that.misfire && this.overlap == that.overlap
				&& this.jitter.equals(that.jitter);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.job, this.cron, this.fixedRate, this.zone, this.misfire, this.overlap,
				this.jitter);
	}

	/**
	 * Return the name, the schedule and the job, without the contents of its payload.
	 */
	@Override
	public String toString() {
		return "RecurringJobRequest[name=%s, %s, %s]".formatted(this.name,
				(this.fixedRate != null) ? "fixedRate=" + TimeText.of(this.fixedRate) : "cron=" + this.cron, this.job);
	}

	private RecurringJobRequest with(Consumer<RecurringJobRequest> change) {
		RecurringJobRequest copy = new RecurringJobRequest(this);
		change.accept(copy);
		return copy;
	}

}
