package io.jobqueue.test;

import java.util.OptionalInt;

import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobOperations;
import io.jobqueue.internal.boot.datasource.PoolSize;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.dependency.DependencyResolver;
import io.jobqueue.internal.dependency.DependencyThread;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.recurring.RecurringTicker;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.topic.DeclaredSubscriptions;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.test.TestJobsContextCustomizer.TestMode;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of {@link TestJobs}, only in the
 * context of a Spring test.
 */
@AutoConfiguration(afterName = "io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration")
@EnableConfigurationProperties(TestJobsProperties.class)
public final class TestJobsAutoConfiguration {

	/**
	 * The beans of a test.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ TestMode.class, PostgresStores.class })
	static class TestJobsConfiguration {

		@Bean
		TestTime jobQueueTestTime() {
			return new TestTime();
		}

		@Bean
		TestPauses jobQueueTestPauses(JobOperations operations, JobSignals signals) {
			return new TestPauses(operations, signals);
		}

		/**
		 * Without a worker, nothing else declares the subscriptions of the handlers.
		 */
		@Bean
		@Lazy(false)
		SmartInitializingSingleton jobQueueTestSubscriptions(DeclaredSubscriptions subscriptions, TestMode mode) {
			return () -> {
				if (!mode.worker()) {
					subscriptions.declare((queue) -> true);
				}
			};
		}

		@Bean
		PostgresStores.Customizer jobQueueTestStores(TestTime time) {
			return (stores) -> stores.forTests(TestDataSource::new, time::shift);
		}

		@Bean
		TestJobs jobQueueTestJobs(ObjectProvider<TestJobsDelegate> delegate, TestTime time, TestMode mode,
				DependencyThread dependencies) {
			if (!mode.worker()) {
				dependencies.close();
			}
			return new TestJobs(delegate, time, mode.worker());
		}

		@Bean
		@Lazy
		TestJobsDelegate jobQueueTestJobsDelegate(WorkerServices services, NodeSettings settings, PostgresStores stores,
				RecurringTicker ticker, JobTypes types, PayloadCodecs codecs, TestTime time,
				DependencyResolver dependencies, ObjectProvider<InlineRuns> inline, TestJobsProperties options,
				TestPauses pauses) {
			return new TestJobsDelegate(services, settings, stores, types, codecs, ticker, time, dependencies, inline,
					options, pauses);
		}

		/**
		 * An inline job runs while the enqueuing thread still holds its connection.
		 */
		@Bean
		@Conditional(OnInlineJobs.class)
		InlineRuns jobQueueInlineRuns(ObjectProvider<InlineJobs> jobs, ObjectProvider<TestJobsDelegate> delegate,
				PostgresStores stores) {
			DataSource pool = ((TestDataSource) stores.dataSource()).target();
			if (PoolSize.of(pool).equals(OptionalInt.of(1))) {
				throw new InvalidConfigurationException(
						"Inline jobs need a second connection, but the connection pool has only one.",
						"Set 'spring.datasource.hikari.maximum-pool-size' to 2 or more in this test, or remove 'jobqueue.test.inline' and InlineJobs beans.");
			}
			return new InlineRuns(jobs.getIfUnique(() -> (request) -> true), delegate);
		}

	}

	/**
	 * Matches if some jobs run inline.
	 */
	static class OnInlineJobs extends AnyNestedCondition {

		OnInlineJobs() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		/**
		 * The setting of all jobs.
		 */
		@ConditionalOnProperty("jobqueue.test.inline")
		static class OnProperty {

		}

		/**
		 * A bean that decides for each job.
		 */
		@ConditionalOnBean(InlineJobs.class)
		static class OnInlineJobsBean {

		}

	}

}
