package io.jobqueue.internal.workflow;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.WorkflowDefinition;

/**
 * The workflows that the application defines, by their names.
 */
public final class WorkflowCatalog {

	private final Map<String, WorkflowDefinition<?>> definitions = new TreeMap<>();

	/**
	 * Create a catalog.
	 * @param definitions the definitions
	 * @throws InvalidConfigurationException if two have the same name
	 */
	public WorkflowCatalog(Collection<? extends WorkflowDefinition<?>> definitions) {
		for (WorkflowDefinition<?> definition : definitions) {
			if (this.definitions.put(definition.name(), definition) != null) {
				throw new InvalidConfigurationException(
						"Two beans define the workflow '%s'.".formatted(definition.name()),
						"Remove one of them, or give it another name.");
			}
		}
	}

	@Nullable WorkflowDefinition<?> find(String name) {
		return this.definitions.get(name);
	}

	/**
	 * Return the definitions in the order of their names.
	 */
	List<WorkflowDefinition<?>> all() {
		return List.copyOf(this.definitions.values());
	}

	/**
	 * Return the names in their order.
	 */
	Collection<String> names() {
		return Collections.unmodifiableSet(this.definitions.keySet());
	}

}
