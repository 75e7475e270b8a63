package io.jobqueue.internal.dashboard.view;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.access.Csrf;

/**
 * What each template knows of its request.
 *
 * @param base the path of the dashboard as the browser sees it, without a slash at its
 * end
 * @param path the path of the page below the base, such as {@code /jobs}, encoded
 * @param parameters the parameters of the page, decoded
 * @param title the title of the page
 * @param active the path of the section to which the page belongs, such as {@code /jobs}
 * @param mayWrite whether the user may change something
 * @param csrf the token that each form contains, {@code null} for none
 * @param assets the path of style sheets and scripts, without a slash at its end
 * @param done what the last action has done, {@code null} for no action
 */
public record PageContext(String base, String path, Map<String, List<String>> parameters, String title, String active,
		boolean mayWrite, @Nullable Csrf csrf, String assets, @Nullable String done) {

	/**
	 * Return the address of this page.
	 * @return the path with its parameters
	 */
	public String self() {
		return address(this.parameters);
	}

	/**
	 * Return the address of this page with another value of a parameter.
	 * @param name the name of the parameter
	 * @param value its only value, {@code null} to remove it
	 * @return the path with its parameters
	 */
	public String with(String name, @Nullable Object value) {
		Map<String, List<String>> changed = new LinkedHashMap<>(this.parameters);
		changed.remove(name);
		if (value != null) {
			changed.put(name, List.of(value.toString()));
		}
		return address(changed);
	}

	/**
	 * Return the first value of a parameter of this page.
	 * @param name the name of the parameter
	 * @return its value, without text if the page has no such parameter
	 */
	public String parameter(String name) {
		return this.parameters.getOrDefault(name, List.of()).stream().findFirst().orElse("");
	}

	private String address(Map<String, List<String>> query) {
		String parameters = query.entrySet()
			.stream()
			.flatMap((entry) -> entry.getValue().stream().map((value) -> UrlQuery.of(entry.getKey(), value)))
			.collect(Collectors.joining("&"));
		return this.base + this.path + (parameters.isEmpty() ? "" : "?" + parameters);
	}

	/**
	 * Return the sections of the navigation.
	 * @return all sections in their order
	 */
	public List<Section> sections() {
		return List.of(Section.values());
	}

}
