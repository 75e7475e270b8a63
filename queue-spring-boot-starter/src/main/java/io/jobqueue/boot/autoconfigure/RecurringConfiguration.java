package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

import io.jobqueue.RecurringJobs;
import io.jobqueue.boot.autoconfigure.DatabaseConfiguration.QueueTransactions;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.ConfiguredSchedules;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.operations.CurrentUser;
import io.jobqueue.internal.outbox.CallerTransaction;
import io.jobqueue.internal.outbox.JobIds;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.recurring.DeclaredSchedules;
import io.jobqueue.internal.recurring.DeclaredSchedules.Declaration;
import io.jobqueue.internal.recurring.DefaultRecurringJobs;
import io.jobqueue.internal.recurring.RecurringTicker;
import io.jobqueue.internal.recurring.ScheduleReader;
import io.jobqueue.internal.recurring.TickListener;
import io.jobqueue.internal.recurring.TickWriter;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Recurring jobs.
 */
@Configuration(proxyBeanMethods = false)
class RecurringConfiguration {

	@Bean
	ScheduleReader jobQueueScheduleReader(RequestReader requests, JobQueueProperties properties) {
		return new ScheduleReader(requests, properties.recurringZone());
	}

	@Bean
	@Lazy(false) // declarations are checked at start
	DeclaredSchedules jobQueueDeclaredSchedules(JobHandlers handlers, JobQueueProperties properties, BeanFactory beans,
			ScheduleReader reader, PostgresStores stores, QueueTransactions transactions, Environment environment) {
		ConfiguredSchedules configured = new ConfiguredSchedules(properties.recurring(), handlers,
				beans.getBean(ConfiguredCodecs.JSON, JacksonPayloadCodec.class).mapper(),
				properties.worker().enabled());
		return new DeclaredSchedules(() -> declarations(handlers, configured), reader, stores.recurring(),
				transactions.manager(), environment.getProperty("spring.application.name"));
	}

	private static List<Declaration> declarations(JobHandlers handlers, ConfiguredSchedules configured) {
		List<Declaration> all = new ArrayList<>(configured.declarations());
		handlers.schedules()
			.forEach((method) -> all
				.add(new Declaration(Objects.requireNonNull(method.schedule()), method.description())));
		return all;
	}

	@Bean
	TickWriter jobQueueTickWriter(PostgresStores stores, JobSignals signals, JobEvents events,
			ObjectProvider<Clock> clock, NodeSettings settings) {
		return new TickWriter(stores.recurring(), signals, events, new JobIds(clock.getIfUnique(Clock::systemUTC)),
				(queue) -> settings.queues().defaultPriority(queue).value());
	}

	@Bean
	RecurringTicker jobQueueRecurringTicker(PostgresStores stores, DeclaredSchedules declared, TickWriter writer,
			JobSignals signals, ObjectProvider<TickListener> listeners) {
		return new RecurringTicker(stores.recurring(), stores.operations(), declared, writer, signals,
				listeners.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean(RecurringJobs.class)
	DefaultRecurringJobs jobQueueRecurringJobs(PostgresStores stores, ScheduleReader reader, DeclaredSchedules declared,
			CallerTransaction caller, QueueTransactions transactions, TickWriter writer, JobSignals signals,
			JobHandlers handlers, EnqueuedQueueCheck check, ObjectProvider<CurrentUser> user) {
		return new DefaultRecurringJobs(stores.recurring(), reader, declared, caller, transactions.manager(), writer,
				signals, (queue, type) -> check.scheduled(queue, type, handlers.typesByQueue()),
				user.getIfAvailable(() -> () -> null));
	}

}
