package io.jobqueue.internal.dashboard.view;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.ServerRequest;

import io.jobqueue.JobOperations;
import io.jobqueue.internal.boot.endpoint.RequestParameters;
import io.jobqueue.internal.store.StorableText;

/**
 * The fields of a form, or the parameters of a page. Browsers send fields without a
 * value, too: these count as missing. One that is unknown, or given twice, is refused
 * with its name: a condition that is mistyped must not show, or change, more jobs.
 *
 * @param values the values by name, those of a form also without any
 */
public record Form(Map<String, List<String>> values) {

	static final String REASON = "reason";

	/**
	 * Read the fields of a form.
	 * @param request the request
	 * @param csrf the field with the token of the application's protection, {@code null}
	 * for none
	 */
	static Form ofAction(ServerRequest request, @Nullable String csrf) {
		Map<String, List<String>> values = new LinkedHashMap<>();
		request.params().forEach((name, texts) -> {
			requireOne(name, texts);
			values.put(name, texts.stream().filter(StringUtils::hasText).toList());
		});
		values.remove(csrf);
		return new Form(values);
	}

	/**
	 * Read the parameters of a page, whose names the conditions of a search limit. The
	 * one that says what an action has done is left out.
	 * @param request the request
	 * @return the parameters that have a value
	 */
	public static Form ofSearch(ServerRequest request) {
		Map<String, List<String>> values = new LinkedHashMap<>();
		request.params().forEach((name, texts) -> {
			List<String> filled = texts.stream().filter(StringUtils::hasText).toList();
			if (!filled.isEmpty() && !name.equals(Views.DONE)) {
				values.put(name, filled);
			}
		});
		return new Form(values);
	}

	/**
	 * Read the parameters of a page. The one that says what an action has done is left
	 * out.
	 * @param request the request
	 * @param known the names that the page knows
	 * @return the parameters that have a value
	 * @throws IllegalArgumentException if there is another one or one has several values,
	 * with its name
	 */
	public static Form ofPage(ServerRequest request, String... known) {
		Form page = ofSearch(request);
		page.values.forEach(Form::requireOne);
		page.requireOnly(known);
		return page;
	}

	private static void requireOne(String name, List<String> texts) {
		Assert.isTrue(texts.size() <= 1, () -> "'%s' is given more than once".formatted(name));
	}

	void requireOnly(String... known) {
		new RequestParameters(new HashMap<>(this.values)).requireOnly(known);
	}

	/**
	 * Refuse parameters that a page does not know, as {@link #ofPage}.
	 * @param request the request
	 * @param known the names that the page knows
	 * @throws IllegalArgumentException if there is another one, with its name
	 */
	public static void requireOnly(ServerRequest request, String... known) {
		Form unused = ofPage(request, known);
	}

	/**
	 * Return a form with more fields.
	 * @param fields the values by name
	 * @return the form
	 */
	public Form with(Map<String, String> fields) {
		Map<String, List<String>> all = new HashMap<>(this.values);
		fields.forEach((name, value) -> all.put(name, List.of(value)));
		return new Form(all);
	}

	/**
	 * Return the value of a field.
	 * @param name its name
	 * @return the value, {@code null} if it has none
	 * @throws IllegalArgumentException if it has several, or one that no row can contain
	 */
	public @Nullable String text(String name) {
		List<String> texts = this.values.getOrDefault(name, List.of());
		requireOne(name, texts);
		return texts.isEmpty() ? null : StorableText.require(name, texts.get(0));
	}

	/**
	 * Return the value of a field that must have one.
	 * @param <T> the type of the value
	 * @param name the name of the field
	 * @param expected what to enter, such as {@code a number}
	 * @param parser makes the value of a text
	 * @return the value
	 * @throws IllegalArgumentException if it has none, or the parser refuses it
	 */
	public <T> T required(String name, String expected, Function<String, T> parser) {
		String text = text(name);
		Assert.notNull(text, () -> "'%s' is missing: enter %s".formatted(name, expected));
		try {
			return parser.apply(text);
		}
		catch (RuntimeException ex) {
			throw new IllegalArgumentException("'%s' must be %s, but is '%s'".formatted(name, expected, text), ex);
		}
	}

	/**
	 * Return why the user does this.
	 * @return the reason, {@code null} if none is given
	 */
	public @Nullable String reason() {
		return text(REASON);
	}

	/**
	 * Return the operations, which log the reason if there is one.
	 * @param operations the operations
	 * @return the operations with the reason
	 */
	public JobOperations operations(JobOperations operations) {
		String reason = reason();
		return (reason != null) ? operations.because(reason) : operations;
	}

}
