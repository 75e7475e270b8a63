package io.jobqueue.testpostgres;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("slow") // starts JVMs
class ChildJvmTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@Test
	void seesClassPathArgumentsAndEnvironment() {
		try (ChildJvm child = ChildJvm.start(Greeter.class, Map.of("GREETING", "Hello"), "world")) {
			assertThat(child.awaitLine("Hello", TIMEOUT)).isEqualTo("Hello world from " + child.pid());
		}
	}

	@Test
	void diesWhenKilledEvenWhenFrozen() {
		try (ChildJvm child = ChildJvm.start(Greeter.class, Map.of("GREETING", "Hello"), "world")) {
			child.awaitLine("Hello", TIMEOUT);
			child.freeze();
			child.kill();
			assertThat(child.awaitExit(TIMEOUT)).isEqualTo(128 + 9);
		}
	}

	@Test
	void frozenOneTakesSignalsOnlyWhenThawed() {
		try (ChildJvm child = ChildJvm.start(Greeter.class, Map.of("GREETING", "Hello"), "world")) {
			child.awaitLine("Hello", TIMEOUT);
			child.freeze();
			child.terminate();
			child.thaw();
			assertThat(child.awaitExit(TIMEOUT)).isEqualTo(128 + 15);
		}
	}

	@Test
	void missingLineShowsTheOutput() {
		try (ChildJvm child = ChildJvm.start(Greeter.class, Map.of("GREETING", "Hello"), "world")) {
			child.awaitLine("Hello", TIMEOUT);
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> child.awaitLine("Good-bye", Duration.ofMillis(1)))
				.withMessageContaining("Hello world");
		}
	}

	@Test
	void endEndsTheWaiting() {
		try (ChildJvm child = ChildJvm.start(ChildJvmTests.class, Map.of())) {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> child.awaitLine("Hello", TIMEOUT))
				.withMessageContaining("ChildJvmTests");
			assertThat(child.awaitExit(TIMEOUT)).isEqualTo(1);
		}
	}

	static final class Greeter {

		private Greeter() {
		}

		public static void main(String[] args) throws IOException {
			String greeting = System.getenv("GREETING");
			System.out.printf("%s %s from %d%n", greeting, args[0], ProcessHandle.current().pid());
			System.in.read();
		}

	}

}
