package io.jobqueue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.StepCondition.Kind;

/**
 * Draws steps as a flowchart of Mermaid. Nodes have numbers, because some names of steps
 * are words of its language.
 */
final class WorkflowDiagram {

	private static final String STATES = """
			    classDef waiting fill:#fff,stroke:#888,color:#333
			    classDef started fill:#ddeeff,stroke:#0366d6,color:#222
			    classDef succeeded fill:#dcf5dc,stroke:#1a7f37,color:#222
			    classDef failed fill:#ffe0e0,stroke:#cf222e,color:#222
			    classDef cancelled fill:#fff3d6,stroke:#9a6700,color:#222
			    classDef skipped fill:#f4f4f4,stroke:#bbb,color:#767676,stroke-dasharray:4
			""";

	private final Map<String, String> nodes = new LinkedHashMap<>();

	private final StringBuilder text = new StringBuilder("flowchart LR\n");

	/**
	 * Add a step after all that its conditions name.
	 * @param state its state, {@code null} for that of a definition
	 */
	void add(String step, @Nullable StepState state, List<StepCondition> conditions) {
		String node = "s" + this.nodes.size();
		this.nodes.put(step, node);
		this.text.append((state != null)
				? "    %s[\"%s: %s\"]:::%s\n".formatted(node, step, state, state.name().toLowerCase(Locale.ROOT))
				: "    %s[\"%s\"]\n".formatted(node, step));
		conditions.forEach((condition) -> condition.steps()
			.forEach((predecessor) -> this.text.append("    %s %s%s %s\n".formatted(this.nodes.get(predecessor),
					arrow(condition.kind()), label(condition), node))));
	}

	/**
	 * Return the text.
	 */
	String text() {
		return this.text.toString();
	}

	/**
	 * Return the text with the colours of states.
	 */
	String colouredText() {
		return this.text + STATES;
	}

	/**
	 * Alternatives are dotted.
	 */
	private static String arrow(Kind kind) {
		return (kind == Kind.AFTER) ? "-->" : "-.->";
	}

	private static String label(StepCondition condition) {
		if (condition.kind() == Kind.AFTER_FAILURE) {
			return "|failed|";
		}
		return (condition.branch() != null) ? "|" + condition.branch() + "|" : "";
	}

}
