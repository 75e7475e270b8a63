package io.jobqueue.test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Prepares the context of every Spring test. An application that runs with the classes of
 * the tests on its class path, as {@code spring-boot:test-run} does, is left alone.
 */
class TestJobsContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		@Nullable AutoConfigureTestJobs annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestJobs.class);
		return (annotation != null) ? new TestJobsContextCustomizer(annotation.worker(), options(annotation))
				: new TestJobsContextCustomizer(false, Set.of());
	}

	private static Set<String> options(AutoConfigureTestJobs annotation) {
		return Map.of("inline", annotation.inline(), "recurring", annotation.recurring(), "limits", annotation.limits())
			.entrySet()
			.stream()
			.filter(Map.Entry::getValue)
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
	}

}
