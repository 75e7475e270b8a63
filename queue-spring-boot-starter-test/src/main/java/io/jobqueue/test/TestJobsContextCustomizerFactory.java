package io.jobqueue.test;

import java.util.List;

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
		return (annotation != null)
				? new TestJobsContextCustomizer(annotation.inline(), annotation.worker(), annotation.limits())
				: new TestJobsContextCustomizer(false, false, false);
	}

}
