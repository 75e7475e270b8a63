package io.jobqueue.boot.settings;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.boot.properties.RecurringProperties;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.recurring.DeclaredSchedules.Declaration;

/**
 * The schedules under {@code jobqueue.recurring}, with the payloads of their handlers'
 * types.
 */
public final class ConfiguredSchedules {

	private static final String PREFIX = "jobqueue.recurring.";

	private final Map<String, RecurringProperties> properties;

	private final JobHandlers handlers;

	private final JsonMapper json;

	private final ConfiguredPayload payloads;

	/**
	 * Create the schedules.
	 * @param properties the settings by the names of the schedules
	 * @param handlers the handlers of this application
	 * @param json converts payloads to their classes
	 */
	public ConfiguredSchedules(Map<String, RecurringProperties> properties, JobHandlers handlers, JsonMapper json) {
		this.properties = properties;
		this.handlers = handlers;
		this.json = json;
		this.payloads = new ConfiguredPayload(json);
	}

	/**
	 * Return the schedules that are switched on.
	 * @return the schedules
	 * @throws InvalidConfigurationException if a type has no handler, or a payload does
	 * not fit its type
	 */
	public List<Declaration> declarations() {
		List<Declaration> declarations = new ArrayList<>();
		this.properties.forEach((name, schedule) -> {
			if (schedule.enabled() && !RecurringJob.DISABLED.equals(schedule.cron())) {
				declarations.add(new Declaration(request(name, schedule), "'" + PREFIX + name + "'"));
			}
		});
		return declarations;
	}

	private RecurringJobRequest request(String name, RecurringProperties schedule) {
		RecurringJobRequest request = RecurringJobRequest.of(name, job(name, schedule))
			.misfire(schedule.misfire())
			.overlap(schedule.overlap())
			.jitter(schedule.jitter());
		request = StringUtils.hasText(schedule.cron()) ? request.cron(schedule.cron()) : request;
		request = (schedule.fixedRate() != null) ? request.fixedRate(schedule.fixedRate()) : request;
		return (schedule.zone() != null) ? request.zone(schedule.zone()) : request;
	}

	private JobRequest job(String name, RecurringProperties schedule) {
		String type = required(name, "type", schedule.type());
		String queue = queue(schedule.queue(), type);
		Type payloadType = this.handlers.payloadType(queue, type);
		if (payloadType == null) {
			throw new InvalidConfigurationException(
					"The schedule '%s%s' enqueues jobs of type '%s' in queue '%s', which no handler of this application handles."
						.formatted(PREFIX, name, type, queue),
					"Correct the type or the queue, or write a @JobHandler for them.");
		}
		JavaType target = this.json.constructType(payloadType);
		JobRequest job = JobRequest.of(queue,
				this.payloads.convert(schedule.payload(), target, PREFIX + name + ".payload"));
		return JobTypes.namesItself(target.getRawClass()) ? job : job.type(type);
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
