package io.jobqueue;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Instances that a {@link WorkflowQuery} selects, the newest first.
 *
 * @param workflows the instances, unmodifiable
 * @param next the position of the next page, {@code null} if there is none
 */
public record WorkflowPage(List<WorkflowInfo> workflows, @Nullable UUID next) {

	/**
	 * Create a page from a copy of the instances.
	 * @param workflows the instances
	 * @param next the position of the next page
	 */
	public WorkflowPage {
		workflows = List.copyOf(workflows);
	}

}
