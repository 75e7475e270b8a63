package io.jobqueue.test;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Switches the background worker off in the context of a test. The properties of the test
 * class itself take precedence.
 *
 * @param worker whether the test class asks for a background worker
 * @param options the names of the other options that the test class asks for
 */
record TestJobsContextCustomizer(boolean worker, Set<String> options) implements ContextCustomizer {

	private static final String WORKER = "jobqueue.worker.enabled";

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		ConfigurableEnvironment environment = context.getEnvironment();
		addAfterPropertiesOfTest(environment.getPropertySources(),
				new MapPropertySource("jobqueue-test", properties(environment)));
		boolean works = environment.getProperty(WORKER, Boolean.class, true);
		context.getBeanFactory().registerSingleton("jobQueueTestMode", new TestMode(works));
	}

	private Map<String, Object> properties(ConfigurableEnvironment environment) {
		Map<String, Object> properties = new HashMap<>();
		if (!this.worker && !environment.getProperty("jobqueue.test.worker", Boolean.class, false)) {
			properties.put(WORKER, false);
		}
		this.options.forEach((option) -> properties.put("jobqueue.test." + option, true));
		return properties;
	}

	private static void addAfterPropertiesOfTest(MutablePropertySources sources, PropertySource<?> added) {
		String ofTest = TestPropertySourceUtils.INLINED_PROPERTIES_PROPERTY_SOURCE_NAME;
		if (sources.contains(ofTest)) {
			sources.addAfter(ofTest, added);
		}
		else {
			sources.addFirst(added);
		}
	}

	/**
	 * The mode of a test context. The application outside tests has no such bean.
	 *
	 * @param worker whether a background worker runs
	 */
	record TestMode(boolean worker) {
	}

}
