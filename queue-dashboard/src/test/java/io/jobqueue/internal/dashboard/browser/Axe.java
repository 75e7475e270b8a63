package io.jobqueue.internal.dashboard.browser;

import java.util.List;

import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Page;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of axe-core. Serious and critical violations fail a test.
 */
final class Axe {

	private Axe() {
	}

	static void assertAccessible(Page page) {
		assertNoViolations(builder(page));
	}

	/**
	 * Of all rules, only this one has another result in another colour scheme.
	 */
	static void assertContrast(Page page) {
		assertNoViolations(builder(page).withRules(List.of("color-contrast")));
	}

	/**
	 * The pages have no frames: it need not open another page to merge their results.
	 */
	private static AxeBuilder builder(Page page) {
		AxeRunOptions options = new AxeRunOptions();
		options.setResultTypes(List.of("violations"));
		return new AxeBuilder(page).setLegacyMode(true).options(options);
	}

	private static void assertNoViolations(AxeBuilder axe) {
		assertThat(axe.analyze().getViolations())
			.filteredOn((rule) -> List.of("serious", "critical").contains(rule.getImpact()))
			.extracting((rule) -> rule.getId() + ": " + rule.getNodes().get(0).getHtml())
			.isEmpty();
	}

}
