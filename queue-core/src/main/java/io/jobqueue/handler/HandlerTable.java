package io.jobqueue.handler;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The handlers that there are at a time, ready to be called.
 */
final class HandlerTable {

	static final HandlerTable EMPTY = new HandlerTable(new HandlerCatalog(List.of()), Map.of());

	private final HandlerCatalog catalog;

	private final Map<HandlerDefinition, HandlerInvoker> invokers;

	private final Map<HandlerCatalog.Key, HandlerInvoker> byKey = new HashMap<>();

	private HandlerTable(HandlerCatalog catalog, Map<HandlerDefinition, HandlerInvoker> invokers) {
		this.catalog = catalog;
		this.invokers = invokers;
		catalog.definitions()
			.forEach((key, definition) -> this.byKey.put(key, Objects.requireNonNull(invokers.get(definition))));
	}

	/**
	 * Return a table with further handlers, unless two of all would handle the same.
	 */
	HandlerTable with(List<HandlerDefinition> further, Function<HandlerDefinition, HandlerInvoker> invoker) {
		HandlerCatalog extended = this.catalog.with(further);
		Map<HandlerDefinition, HandlerInvoker> all = new LinkedHashMap<>(this.invokers);
		further.forEach((definition) -> all.put(definition, invoker.apply(definition)));
		return new HandlerTable(extended, all);
	}

	HandlerTable without(HandlerDefinition definition) {
		Map<HandlerDefinition, HandlerInvoker> rest = new LinkedHashMap<>(this.invokers);
		rest.remove(definition);
		return new HandlerTable(new HandlerCatalog(List.copyOf(rest.keySet())), rest);
	}

	HandlerCatalog catalog() {
		return this.catalog;
	}

	@Nullable HandlerInvoker find(String queue, String type) {
		return this.byKey.get(new HandlerCatalog.Key(queue, type));
	}

}
