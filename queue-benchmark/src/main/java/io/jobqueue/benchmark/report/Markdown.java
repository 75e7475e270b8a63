package io.jobqueue.benchmark.report;

import java.util.List;
import java.util.Map;

/**
 * A text in Markdown. The first heading is the title.
 */
final class Markdown {

	private final StringBuilder text = new StringBuilder();

	static List<List<String>> rows(Map<String, String> facts) {
		return facts.entrySet().stream().map((fact) -> List.of(fact.getKey(), fact.getValue())).toList();
	}

	Markdown heading(String heading) {
		return paragraph(((this.text.length() == 0) ? "# " : "## ") + heading);
	}

	Markdown paragraph(String paragraph) {
		this.text.append(paragraph).append("\n\n");
		return this;
	}

	Markdown image(String file) {
		return paragraph("![%s](%s)".formatted(file.substring(0, file.lastIndexOf('.')), file));
	}

	Markdown code(List<String> lines) {
		return paragraph("```\n" + String.join("\n", lines) + "\n```");
	}

	Markdown table(List<String> head, List<List<String>> rows) {
		row(head);
		row(head.stream().map((column) -> "---").toList());
		rows.forEach(this::row);
		this.text.append('\n');
		return this;
	}

	private void row(List<String> cells) {
		this.text.append("| ").append(String.join(" | ", cells)).append(" |\n");
	}

	@Override
	public String toString() {
		return this.text.toString().stripTrailing() + "\n";
	}

}
