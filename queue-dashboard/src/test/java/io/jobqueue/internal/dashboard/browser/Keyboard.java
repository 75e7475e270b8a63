package io.jobqueue.internal.dashboard.browser;

import java.util.List;

import com.microsoft.playwright.Page;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requires that the Tab key reaches all that a page offers, and shows where it is.
 */
final class Keyboard {

	private static final String CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";

	/**
	 * Marks each element that is focused and visible, with an outline. A live refresh
	 * would replace marked elements.
	 */
	private static final String WATCH = """
			(controls) => {
				document.addEventListener("htmx:beforeSwap", (event) => event.preventDefault());
				window.isShown = (element) => element.checkVisibility({ visibilityProperty: true });
				document.addEventListener("focusin", ({ target }) => {
					if (isShown(target) && getComputedStyle(target).outlineStyle !== "none") {
						target.dataset.reached = "";
					}
				});
				return [...document.querySelectorAll(controls)].filter(isShown).length;
			}
			""";

	private static final String MISSED = """
			(controls) => [...document.querySelectorAll(controls)]
				.filter((element) => isShown(element) && !("reached" in element.dataset))
				.map(({ outerHTML }) => outerHTML)
			""";

	private Keyboard() {
	}

	/**
	 * Press Tab once for each control of a page that has nothing focused yet.
	 */
	static void assertReachable(Page page) {
		Object controls = page.evaluate(WATCH, CONTROLS);
		for (int i = 0; i < (Integer) controls; i++) {
			page.keyboard().press("Tab");
		}
		assertThat((List<?>) page.evaluate(MISSED, CONTROLS)).isEmpty();
	}

}
