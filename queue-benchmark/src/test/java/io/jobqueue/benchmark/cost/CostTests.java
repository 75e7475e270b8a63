package io.jobqueue.benchmark.cost;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.report.Report;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Cost}, at a small scale.
 */
@Tag("slow") // starts applications
@Tag("measurement") // a scenario
class CostTests {

	@TempDir
	private Path folder;

	@Test
	void stepsHaveTheirCostsAndAChart() throws Exception {
		Cost scenario = new Cost();
		try (BenchmarkDatabase database = BenchmarkDatabase.open()) {
			Workbench workbench = new Workbench(database, new Scale(0.01, 1));
			Outcome outcome = new Outcome(scenario, scenario.run(workbench));
			assertThat(outcome.line()).startsWith("RESULT scenario=cost value=")
				.contains(" unit=us ", " bulk_us=", " plain_tx_bytes=", " transactional_us=", " bar=bytes<=1000 met=");
			assertThat(outcome.result().figures()).allSatisfy((name, value) -> assertThat(value).isNotNegative());
			assertThat(outcome.result().figure("bulk_bytes")).isBetween(300.0, 800.0);
			assertThat(outcome.result().figure("plain_bytes")).isLessThan(outcome.result().figure("bytes"));
			Path report = new Report(workbench, List.of(outcome)).writeTo(this.folder);
			assertThat(report).content().contains("-cost.svg)");
			isImage(Path.of(report.toString().replace(".md", "-cost.svg")));
		}
	}

	private static void isImage(Path file) throws Exception {
		String text = Files.readString(file);
		assertThat(text).contains(">plain SQL that does the same<");
		DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
	}

}
