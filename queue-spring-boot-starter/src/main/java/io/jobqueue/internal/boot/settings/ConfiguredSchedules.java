package io.jobqueue.internal.boot.settings;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.internal.boot.properties.RecurringProperties;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.logging.EditDistance;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.recurring.DeclaredSchedules.Declaration;

/**
 * The schedules under {@code jobqueue.recurring}, with the payloads of their handlers'
 * types.
 */
public final class ConfiguredSchedules {

	private static final String PREFIX = "jobqueue.recurring.";

	private static final Logger logger = LoggerFactory.getLogger(ConfiguredSchedules.class);

	private final Map<String, RecurringProperties> properties;

	private final JobHandlers handlers;

	private final JsonMapper json;

	private final ConfiguredPayload payloads;

	private final boolean worker;

	/**
	 * Create the schedules.
	 * @param properties the settings by the names of the schedules
	 * @param handlers the handlers of this application
	 * @param json converts payloads to their classes
	 * @param worker whether this node has a worker
	 */
	public ConfiguredSchedules(Map<String, RecurringProperties> properties, JobHandlers handlers, JsonMapper json,
			boolean worker) {
		this.properties = properties;
		this.handlers = handlers;
		this.json = json;
		this.payloads = new ConfiguredPayload(json);
		this.worker = worker;
	}

	/**
	 * Return the schedules that are switched on and whose type has a handler. One whose
	 * type has none is for other nodes: a worker warns of it.
	 * @return the schedules
	 * @throws InvalidConfigurationException if the name of a type or queue is most likely
	 * misspelt, or a payload does not fit its type
	 */
	public List<Declaration> declarations() {
		List<Declaration> declarations = new ArrayList<>();
		this.properties.forEach((name, schedule) -> {
			if (schedule.enabled() && !RecurringJob.DISABLED.equals(schedule.cron())) {
				JobRequest job = job(name, schedule);
				if (job != null) {
					declarations.add(new Declaration(request(name, schedule, job), "'" + PREFIX + name + "'"));
				}
			}
		});
		return declarations;
	}

	private RecurringJobRequest request(String name, RecurringProperties schedule, JobRequest job) {
		RecurringJobRequest request = RecurringJobRequest.of(name, job)
			.misfire(schedule.misfire())
			.overlap(schedule.overlap())
			.jitter(schedule.jitter());
		request = StringUtils.hasText(schedule.cron()) ? request.cron(schedule.cron()) : request;
		request = (schedule.fixedRate() != null) ? request.fixedRate(schedule.fixedRate()) : request;
		return (schedule.zone() != null) ? request.zone(schedule.zone()) : request;
	}

	private @Nullable JobRequest job(String name, RecurringProperties schedule) {
		String type = required(name, "type", schedule.type());
		String queue = queue(schedule.queue(), type);
		Type payloadType = this.handlers.payloadType(queue, type);
		if (payloadType == null) {
			refuseMisspelling(name, type, schedule.queue());
			warn(name, type, schedule.queue());
			return null;
		}
		JavaType target = this.json.constructType(payloadType);
		JobRequest job = JobRequest.of(queue,
				this.payloads.convert(schedule.payload(), target, PREFIX + name + ".payload"));
		return JobTypes.namesItself(target.getRawClass()) ? job : job.type(type);
	}

	private void refuseMisspelling(String name, String type, @Nullable String queue) {
		Map<String, Set<String>> queuesByType = queuesByType();
		Set<String> queues = queuesByType.get(type);
		if (queues != null) {
			refuse(queue == null, name, type, null, "Handlers of this type serve the queues " + queues, "Set 'queue'.");
			misspelt(queue, queues).ifPresent((near) -> refuse(true, name, type, queue,
					"The nearest queue of this type is '%s'".formatted(near), "Correct the queue."));
		}
		else {
			misspelt(type, queuesByType.keySet()).ifPresent(
					(near) -> refuse(true, name, type, queue,
							"The nearest type is '%s' in queue '%s'".formatted(near,
									String.join("', '", queuesByType.getOrDefault(near, Set.of()))),
							"Correct the type."));
		}
	}

	private Map<String, Set<String>> queuesByType() {
		Map<String, Set<String>> queues = new TreeMap<>();
		this.handlers.typesByQueue()
			.forEach((queue, types) -> types
				.forEach((type) -> queues.computeIfAbsent(type, (key) -> new TreeSet<>()).add(queue)));
		return queues;
	}

	private static Optional<String> misspelt(@Nullable String name, Set<String> names) {
		return (name != null)
				? EditDistance.nearest(name,
						names.stream().filter((known) -> EditDistance.isMisspelling(name, known)).toList())
				: Optional.empty();
	}

	private static void refuse(boolean condition, String name, String type, @Nullable String queue, String hint,
			String action) {
		if (condition) {
			throw new InvalidConfigurationException(
					"The schedule '%s%s' enqueues %s, which no handler of this application handles. %s."
						.formatted(PREFIX, name, jobs(type, queue), hint),
					action);
		}
	}

	private void warn(String name, String type, @Nullable String queue) {
		if (this.worker) {
			logger.warn(
					"The schedule '{}{}' enqueues {}, which no handler of this application handles: this node does not declare it. If no other application does, correct the type or write a @JobHandler",
					PREFIX, name, jobs(type, queue));
		}
	}

	private static String jobs(String type, @Nullable String queue) {
		return "jobs of type '%s'%s".formatted(type, (queue != null) ? " in queue '%s'".formatted(queue) : "");
	}

	private String queue(@Nullable String own, String type) {
		return (own != null) ? own
				: Objects.requireNonNullElse(this.handlers.queueOfOnlyHandler(type), QueueNames.DEFAULT);
	}

	private static String required(String name, String key, @Nullable String value) {
		if (value == null || value.isEmpty()) {
			throw new InvalidConfigurationException("The schedule '%s%s' has no %s.".formatted(PREFIX, name, key),
					"Set '%s%s.%s'.".formatted(PREFIX, name, key));
		}
		return value;
	}

}
