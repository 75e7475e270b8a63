package io.jobqueue.boot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A shutdown timeout that Spring does not wait for.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTimeoutTests extends QueueTestBase {

	private static final String WARNING = "'jobqueue.worker.shutdown-timeout' is ";

	private final ApplicationContextRunner application = this.contextRunner
		.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class));

	@Test
	void longerOneThanThePhaseIsWarnedOf(CapturedOutput output) {
		run("jobqueue.worker.shutdown-timeout=90s");
		assertThat(output).contains(WARNING + "1m 30s, but 'spring.lifecycle.timeout-per-shutdown-phase' is 30s: ",
				"Lower the first, or raise the second");
	}

	@Test
	void equalOneIsWarnedOf(CapturedOutput output) {
		run("spring.lifecycle.timeout-per-shutdown-phase=25s");
		assertThat(output).contains(WARNING + "25s, but 'spring.lifecycle.timeout-per-shutdown-phase' is 25s: ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobqueue.worker.shutdown-timeout=29s", "jobqueue.worker.release-on-stop=true",
			"jobqueue.worker.enabled=false" })
	void oneThatIsWaitedForIsFine(String property, CapturedOutput output) {
		run("spring.lifecycle.timeout-per-shutdown-phase=" + (property.endsWith("29s") ? "30s" : "10s"), property);
		assertThat(output).doesNotContain(WARNING);
	}

	private void run(String... properties) {
		this.application.withPropertyValues(properties).run((context) -> assertThat(context).hasNotFailed());
	}

}
