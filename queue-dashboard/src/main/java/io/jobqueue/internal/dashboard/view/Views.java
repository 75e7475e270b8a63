package io.jobqueue.internal.dashboard.view;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;

import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.ByteResponse;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.access.Csrf;
import io.jobqueue.internal.dashboard.access.DashboardAccess;
import io.jobqueue.internal.dashboard.asset.Assets;

/**
 * Creates responses with pages, and reads their forms. A template is complete before the
 * response begins, so that one that fails leads to an error page.
 */
public final class Views {

	private static final String TEMPLATES = "io.jobqueue.internal.dashboard.template";

	/**
	 * The parameter of pages that says what an action has done.
	 */
	public static final String DONE = "done";

	private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

	private final TemplateEngine templates = TemplateEngine.createPrecompiled(null, ContentType.Html,
			Views.class.getClassLoader(), TEMPLATES);

	private final String path;

	private final DashboardAccess access;

	private final Assets assets;

	/**
	 * Create views.
	 * @param settings the settings
	 * @param access decides whether pages offer changes
	 * @param assets the style sheets and scripts
	 */
	public Views(DashboardProperties settings, DashboardAccess access, Assets assets) {
		this.path = settings.path();
		this.access = access;
		this.assets = assets;
	}

	/**
	 * Return a page.
	 * @param request the request
	 * @param title the title of the page
	 * @param template the template, such as {@code jobs/list.jte}, with the parameters
	 * {@code page} and {@code model}
	 * @param model the model
	 * @return the response
	 */
	public ServerResponse page(ServerRequest request, String title, String template, Object model) {
		return page(200, context(request, title), template, model);
	}

	/**
	 * Return a page that says why a request was not answered.
	 * @param request the request
	 * @param status the status
	 * @param message what is wrong, a sentence
	 * @param mayRead whether the page may show more than that sentence
	 * @return the response
	 */
	public ServerResponse error(ServerRequest request, int status, String message, boolean mayRead) {
		ErrorPage error = new ErrorPage(status, message, RequestLocation.of(request, this.path).below());
		if (mayRead) {
			return page(status, context(request, error.title()), "error/page.jte", error);
		}
		return page(status, "error/refused.jte", Map.of("model", error));
	}

	/**
	 * Return a redirect after an action, so that a reload of the page does not repeat it.
	 * Pages read anew what they show from now on.
	 * @param request the request
	 * @param path a path below that of the dashboard, with its parameters
	 * @param done the code of what was done, a key of {@code done.properties}
	 * @return the response, with the status 303
	 */
	public ServerResponse redirect(ServerRequest request, String path, String done) {
		CachedReading.outdate();
		return ServerResponse.seeOther(URI.create(RequestLocation.of(request, this.path).base() + path
				+ (path.contains("?") ? "&" : "?") + DONE + "=" + done))
			.build();
	}

	/**
	 * Read the form of an action on the jobs of a search, whose conditions limit the
	 * names of its fields. That of the application's protection against forged requests
	 * is left out.
	 * @param request the request
	 * @return the fields
	 * @throws IllegalArgumentException if a field is given twice, with its name
	 */
	public Form formOfSearch(ServerRequest request) {
		Csrf csrf = this.access.csrf(request.servletRequest());
		return Form.ofAction(request, (csrf != null) ? csrf.parameter() : null);
	}

	/**
	 * Read the form of an action. The field of the application's protection against
	 * forged requests is left out.
	 * @param request the request
	 * @param known the names of its fields besides the reason
	 * @return the fields
	 * @throws IllegalArgumentException if there is another field or one is given twice,
	 * with its name
	 */
	public Form form(ServerRequest request, String... known) {
		Form form = formOfSearch(request);
		form.requireOnly(StringUtils.addStringToArray(known, Form.REASON));
		return form;
	}

	private ServerResponse page(int status, PageContext page, String template, Object model) {
		return page(status, template, Map.of("page", page, "model", model));
	}

	private ServerResponse page(int status, String template, Map<String, Object> parameters) {
		StringOutput output = new StringOutput();
		this.templates.render(template, parameters, output);
		return ByteResponse.of(status, HTML, output.toString().getBytes(StandardCharsets.UTF_8));
	}

	private PageContext context(ServerRequest request, String title) {
		RequestLocation location = RequestLocation.of(request, this.path);
		Map<String, List<String>> parameters = new LinkedHashMap<>(request.params());
		List<String> done = parameters.remove(DONE);
		boolean mayWrite = this.access.mayWrite(request.servletRequest());
		String section = section(location.below());
		return new PageContext(location.base(), location.below(), parameters, title, section, mayWrite,
				mayWrite ? this.access.csrf(request.servletRequest()) : null, location.base() + this.assets.path(),
				(done != null) ? DoneMessages.of(done.get(0), section) : null);
	}

	private static String section(String path) {
		int end = path.indexOf('/', 1);
		String section = (end > 0) ? path.substring(0, end) : path;
		return section.equals("/") ? "" : section;
	}

}
