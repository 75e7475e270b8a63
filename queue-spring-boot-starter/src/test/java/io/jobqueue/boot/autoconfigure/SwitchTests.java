package io.jobqueue.boot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;

import io.jobqueue.JobQueue;
import io.jobqueue.internal.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A switch means the same to the conditions as to the properties.
 */
class SwitchTests extends QueueTestBase {

	@Test
	void hasADefault() {
		this.contextRunner
			.run((context) -> assertThat(context).hasSingleBean(JobWorker.class).doesNotHaveBean(RunAndExit.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "TRUE", "on", "yes", "1" })
	void isOn(String value) {
		this.contextRunner
			.withPropertyValues("jobqueue.enabled=" + value, "jobqueue.worker.enabled=" + value,
					"jobqueue.worker.run-and-exit=" + value)
			.run((context) -> assertThat(context).hasSingleBean(JobWorker.class).hasSingleBean(RunAndExit.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "off", "no", "0" })
	void isOff(String value) {
		this.contextRunner.withPropertyValues("jobqueue.enabled=" + value)
			.run((context) -> assertThat(context).doesNotHaveBean(JobQueue.class));
		this.contextRunner.withPropertyValues("jobqueue.worker.enabled=" + value)
			.run((context) -> assertThat(context).hasSingleBean(JobQueue.class).doesNotHaveBean(JobWorker.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobqueue.enabled", "jobqueue.worker.enabled", "jobqueue.worker.run-and-exit" })
	void anythingElseIsRefused(String key) {
		this.contextRunner.withPropertyValues(key + "=nope").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).isEqualTo("The setting '%s' is 'nope'.".formatted(key));
			assertThat(analysis.getAction()).isEqualTo("Write true or false.");
		});
	}

}
