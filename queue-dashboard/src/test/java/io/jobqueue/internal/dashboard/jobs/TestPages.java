package io.jobqueue.internal.dashboard.jobs;

import java.util.List;
import java.util.Map;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;

import io.jobqueue.internal.dashboard.view.PageContext;

/**
 * Renders pages of models that no database of a test holds.
 */
final class TestPages {

	private static final TemplateEngine TEMPLATES = TemplateEngine.createPrecompiled(null, ContentType.Html,
			TestPages.class.getClassLoader(), "io.jobqueue.internal.dashboard.template");

	private TestPages() {
	}

	static String render(String template, String path, Object model) {
		PageContext page = new PageContext("/jobqueue", path, Map.<String, List<String>>of(), "Title", "/jobs", false,
				null, "/jobqueue/assets", null);
		StringOutput output = new StringOutput();
		TEMPLATES.render(template, Map.of("page", page, "model", model), output);
		return output.toString();
	}

}
