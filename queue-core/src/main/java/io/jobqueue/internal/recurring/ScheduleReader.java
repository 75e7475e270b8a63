package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.RecurringStore.JobTemplate;
import io.jobqueue.internal.store.RecurringStore.Timing;
import io.jobqueue.internal.store.StorableDuration;

/**
 * Converts requested schedules to definitions, and rejects those that cannot be stored or
 * would never enqueue a job.
 */
public final class ScheduleReader {

	private static final Duration MIN_RATE = Duration.ofSeconds(1);

	private static final Pattern NAME = Pattern.compile("[\\p{Graph}&&[^\\s]]{1,200}", Pattern.UNICODE_CHARACTER_CLASS);

	private static final List<String> FIELDS = List.of("second", "minute", "hour", "day of month", "month",
			"day of week");

	private final RequestReader requests;

	private final ZoneId defaultZone;

	/**
	 * Create a reader.
	 * @param requests reads the jobs of schedules
	 * @param defaultZone the zone of cron expressions that have none
	 */
	public ScheduleReader(RequestReader requests, ZoneId defaultZone) {
		this.requests = requests;
		this.defaultZone = defaultZone;
	}

	ScheduleDefinition read(RecurringJobRequest request) {
		check(NAME.matcher(request.name()).matches(), "name",
				"must have 1 to 200 printable characters without spaces, but is '%s'".formatted(request.name()));
		String name = this.requests.name("name", request.name());
		checkJob(request.job());
		check(!request.jitter().isNegative() && StorableDuration.isStorable(request.jitter()), "jitter",
				"must be between 0 and 100 years");
		return new ScheduleDefinition(name, template(request.job()), timing(request), request.misfire(),
				request.overlap(), request.jitter());
	}

	private static void checkJob(JobRequest job) {
		check(job.key() == null, "key", "is not possible in a schedule: its overlap decides about live jobs");
		check(job.delay() == null, "delay", "is not possible in a schedule: its ticks set the time");
		check(job.runAt() == null, "runAt", "is not possible in a schedule: its ticks set the time");
		check(job.expiresAfter() == null, "expiresAfter",
				"is not possible in a schedule: compare scheduledAt() in the handler");
		check(job.orderingKey() == null, "orderedBy", "is not possible in a schedule");
		check(job.limitKey() == null, "limitedBy", "is not possible in a schedule");
		check(job.predecessors().isEmpty(), "after", "is not possible in a schedule");
	}

	private JobTemplate template(JobRequest request) {
		NewJob job = this.requests.readScheduled(request);
		return new JobTemplate(job.queue(), job.type(), job.payload(),
				(request.priority() != null) ? job.priority() : null, job.maxAttempts(), job.maxRunTime(),
				job.headers(), job.keys().group());
	}

	private Timing timing(RecurringJobRequest request) {
		Duration rate = request.fixedRate();
		check((rate == null) != (request.cron() == null), "cron", (rate == null)
				? "is missing: set a cron expression or a fixed rate" : "and a fixed rate are set: remove one of them");
		return (rate != null) ? ofRate(rate, request) : ofCron(Objects.requireNonNull(request.cron()), request);
	}

	private static Timing ofRate(Duration rate, RecurringJobRequest request) {
		check(request.zone() == null, "zone", "has no effect on a fixed rate, which counts absolutely: remove it");
		check(rate.compareTo(MIN_RATE) >= 0 && StorableDuration.isStorable(rate), "fixedRate",
				"must be between 1 s and 100 years, but is %s ms".formatted(rate.toMillis()));
		return new Timing(null, null, Duration.ofMillis(rate.toMillis()));
	}

	private Timing ofCron(String cron, RecurringJobRequest request) {
		try {
			CronExpression.parse(cron);
		}
		catch (IllegalArgumentException ex) {
			throw new JobRejectedException("cron", "is '%s': %s".formatted(cron, reason(cron, ex)));
		}
		Timing timing = new Timing(cron, Objects.requireNonNullElse(request.zone(), this.defaultZone).getId(), null);
		check(Recurrence.of(timing, Instant.EPOCH).next(Instant.EPOCH) != null, "cron",
				"is '%s', which never fires".formatted(cron));
		return timing;
	}

	/**
	 * Name the field in which an expression is invalid.
	 */
	private static String reason(String expression, IllegalArgumentException failure) {
		String[] fields = StringUtils.tokenizeToStringArray(expression, " ");
		if (fields.length != FIELDS.size()) {
			return "it has %s fields instead of 6 (%s)".formatted(fields.length, String.join(", ", FIELDS));
		}
		for (int position = 0; position < fields.length; position++) {
			if (!isValidField(position, fields[position])) {
				return "field %s (%s) cannot be '%s'".formatted(position + 1, FIELDS.get(position), fields[position]);
			}
		}
		return String.valueOf(failure.getMessage());
	}

	private static boolean isValidField(int position, String field) {
		String[] fields = new String[FIELDS.size()];
		Arrays.fill(fields, "*");
		fields[position] = field;
		return CronExpression.isValidExpression(String.join(" ", fields));
	}

	private static void check(boolean condition, String property, String reason) {
		if (!condition) {
			throw new JobRejectedException(property, reason);
		}
	}

}
