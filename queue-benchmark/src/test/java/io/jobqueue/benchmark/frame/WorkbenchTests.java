package io.jobqueue.benchmark.frame;

import java.util.List;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Workbench}.
 */
class WorkbenchTests {

	@Test
	void contendersTakeTurnsAfterARoundThatDoesNotCount() throws Exception {
		StringBuilder order = new StringBuilder();
		Samples samples = new Workbench(BenchmarkDatabase.at("unused"), new Scale(1, 3)).alternate(
				Contender.floor(() -> order.append('f').length()), Contender.value(() -> order.append('v').length()));
		assertThat(order).hasToString("fvfvvffv");
		assertThat(samples.all("floor")).isEqualTo(List.of(3.0, 6.0, 7.0));
		assertThat(samples.median("value")).isEqualTo(5);
	}

}
