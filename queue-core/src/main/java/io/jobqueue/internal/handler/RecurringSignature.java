package io.jobqueue.internal.handler;

import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.StringUtils;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.policy.ExceptionTypes;

/**
 * Creates the definition of a handler from a method with a schedule. Its jobs have an
 * empty map as their payload, and the name of the schedule as their type.
 */
final class RecurringSignature {

	private static final ExceptionTypes NONE = new ExceptionTypes(List.of());

	private final JobTypes types;

	private final UnaryOperator<String> placeholders;

	RecurringSignature(JobTypes types, UnaryOperator<String> placeholders) {
		this.types = types;
		this.placeholders = placeholders;
	}

	HandlerDefinition define(String beanName, Class<?> beanClass, Method method, RecurringJob annotation,
			@Nullable JobHandler onClass) {
		BeanMethod bean = new BeanMethod(beanName, method, RecurringJob.class);
		HandlerAttributes attributes = new HandlerAttributes(bean.subject(), this.placeholders);
		rejectPayload(bean);
		rejectScheduled(bean);
		HandlerSignature.check(bean.subject(), method, beanClass, annotation.delivery());
		String queue = HandlerSignature.queue(attributes, annotation.queue(), onClass, null);
		String name = name(bean, attributes.resolve("name", annotation.name()));
		RecurringJobRequest schedule = schedule(attributes, annotation,
				RecurringJobRequest.of(name, JobRequest.of(queue, Map.of()).type(name)));
		return new HandlerDefinition(new RecurringMethod(bean, schedule), Map.class, queue, name, Set.of(),
				annotation.delivery(), NONE, NONE, "", attributes.options(annotation), null);
	}

	private static void rejectPayload(BeanMethod bean) {
		Class<?>[] parameters = bean.method().getParameterTypes();
		if (parameters.length > 1 || (parameters.length == 1 && parameters[0] != JobContext.class)) {
			throw new InvalidHandlerException("%s has parameters other than one JobContext".formatted(bean.subject()),
					"Remove them: a schedule has no payload. For one with a payload, write a @JobHandler and declare"
							+ " its schedule under jobqueue.recurring, or save it with RecurringJobs");
		}
	}

	private static void rejectScheduled(BeanMethod bean) {
		if (!AnnotatedElementUtils.findMergedRepeatableAnnotations(bean.method(), Scheduled.class).isEmpty()) {
			throw new InvalidHandlerException(
					"%s is @Scheduled as well: it would run twice, once as a job and once on each node"
						.formatted(bean.subject()),
					"Remove @Scheduled");
		}
	}

	private String name(BeanMethod bean, String given) {
		String name = given.isEmpty() ? bean.beanName() + "." + bean.method().getName() : given;
		try {
			return this.types.name(Map.class, name);
		}
		catch (JobRejectedException ex) {
			throw new InvalidHandlerException("%s has the name '%s'".formatted(bean.subject(), name),
					"Use at most 200 printable characters, without spaces");
		}
	}

	private static @Nullable RecurringJobRequest schedule(HandlerAttributes attributes, RecurringJob annotation,
			RecurringJobRequest schedule) {
		String cron = attributes.resolve("cron", annotation.cron());
		if (cron.equals(RecurringJob.DISABLED)) {
			return null;
		}
		Duration rate = attributes.duration("fixedRate", annotation.fixedRate(), Duration.ofSeconds(1));
		Duration jitter = attributes.duration("jitter", annotation.jitter(), Duration.ZERO);
		ZoneId zone = zone(attributes, annotation.zone());
		RecurringJobRequest request = schedule.misfire(annotation.misfire()).overlap(annotation.overlap());
		request = StringUtils.hasText(cron) ? request.cron(cron) : request;
		request = (rate != null) ? request.fixedRate(rate) : request;
		request = (zone != null) ? request.zone(zone) : request;
		return (jitter != null) ? request.jitter(jitter) : request;
	}

	private static @Nullable ZoneId zone(HandlerAttributes attributes, String given) {
		String zone = attributes.resolve("zone", given);
		try {
			return StringUtils.hasText(zone) ? ZoneId.of(zone) : null;
		}
		catch (DateTimeException ex) {
			throw new InvalidHandlerException(
					"%s has zone = \"%s\", which is not a time zone".formatted(attributes.handler(), zone),
					"Use the name of a zone, such as Europe/Berlin or UTC");
		}
	}

}
