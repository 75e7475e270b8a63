package io.jobqueue.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

/**
 * The report of a run: a file of Markdown with the charts beside it, named by the date.
 */
public final class Report {

	private final Workbench workbench;

	private final List<Outcome> outcomes;

	/**
	 * Create a report.
	 * @param workbench what was measured with; its database must still be open when the
	 * report is written
	 * @param outcomes what was measured, in the order of the report
	 */
	public Report(Workbench workbench, List<Outcome> outcomes) {
		this.workbench = workbench;
		this.outcomes = outcomes;
	}

	/**
	 * Write the report and its charts. They replace those of the same day, in UTC.
	 * @param folder the folder, which is created if it is missing
	 * @return the file of the report
	 * @throws IOException if a file cannot be written; others may be there by then
	 */
	public Path writeTo(Path folder) throws IOException {
		String date = LocalDate.now(ZoneOffset.UTC).toString();
		Files.createDirectories(folder);
		List<String> charts = new Charts(folder, date).draw(this.outcomes);
		return Files.writeString(folder.resolve(date + ".md"), text(date, charts));
	}

	private String text(String date, List<String> charts) {
		BenchmarkDatabase database = this.workbench.database();
		Markdown text = new Markdown().heading("Benchmark of " + date).paragraph(method());
		text.table(OutcomeTable.HEAD, OutcomeTable.rows(this.outcomes));
		text.heading("Charts");
		charts.forEach(text::image);
		text.heading("Scenarios")
			.table(List.of("scenario", "measures"), this.outcomes.stream().map(Report::meaning).toList());
		text.heading("Machine").table(List.of("", ""), Markdown.rows(Machine.describe(database)));
		text.heading("Server settings").table(List.of("setting", "value"), Markdown.rows(database.settings()));
		return text.heading("Lines").code(this.outcomes.stream().map(Outcome::line).toList()).toString();
	}

	private String method() {
		Scale scale = this.workbench.scale();
		String rounds = "Each figure is the median of %s alternating rounds, unless its scenario says otherwise."
			.formatted(scale.rounds());
		return scale.isWhole() ? rounds
				: rounds + " **All sizes are multiplied by %s: this run is for development, not for comparison.**"
					.formatted(scale.factor());
	}

	private static List<String> meaning(Outcome outcome) {
		return List.of(outcome.scenario().name(), outcome.scenario().measures());
	}

}
