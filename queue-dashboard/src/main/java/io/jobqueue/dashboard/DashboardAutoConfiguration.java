package io.jobqueue.dashboard;

import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.JobOperations;
import io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.access.AccessFactory;
import io.jobqueue.internal.dashboard.access.DashboardAccess;
import io.jobqueue.internal.dashboard.access.OffNotice;
import io.jobqueue.internal.dashboard.access.OnAccess;
import io.jobqueue.internal.dashboard.action.ActionRoutes;
import io.jobqueue.internal.dashboard.action.BulkRoutes;
import io.jobqueue.internal.dashboard.asset.Assets;
import io.jobqueue.internal.dashboard.batches.BatchRoutes;
import io.jobqueue.internal.dashboard.chart.ChartRoutes;
import io.jobqueue.internal.dashboard.dead.DeadRoutes;
import io.jobqueue.internal.dashboard.jobs.ErrorRoutes;
import io.jobqueue.internal.dashboard.jobs.JobListRoutes;
import io.jobqueue.internal.dashboard.jobs.JobRoutes;
import io.jobqueue.internal.dashboard.live.LiveRoutes;
import io.jobqueue.internal.dashboard.log.LogRoutes;
import io.jobqueue.internal.dashboard.overview.OverviewRoutes;
import io.jobqueue.internal.dashboard.overview.PauseRoutes;
import io.jobqueue.internal.dashboard.recurring.RecurringRoutes;
import io.jobqueue.internal.dashboard.routing.DashboardRouter;
import io.jobqueue.internal.dashboard.routing.PassedExceptions;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.dashboard.workflows.WorkflowActions;
import io.jobqueue.internal.dashboard.workflows.WorkflowRoutes;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the dashboard of the job queue,
 * in servlet applications that say who has access.
 */
@AutoConfiguration(after = JobQueueAutoConfiguration.class)
@ConditionalOnBean(JobOperations.class)
public final class DashboardAutoConfiguration {

	@Bean
	SmartInitializingSingleton jobQueueDashboardNotice(ObjectProvider<ServletConfiguration> servlet,
			ObjectProvider<DashboardAccess> access, ResourceLoader resources) {
		return () -> {
			if (access.getIfAvailable() == null) {
				OffNotice.log(servlet.getIfAvailable() != null, resources.getClassLoader());
			}
		};
	}

	/**
	 * Not on the public class: the settings are not part of the published Javadoc.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(DashboardProperties.class)
	static class SettingsConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(RouterFunction.class)
	static class ServletConfiguration {

		/**
		 * The frame and its pages. Each page is a {@link DashboardRoutes}.
		 */
		@Configuration(proxyBeanMethods = false)
		@Conditional(OnAccess.class)
		@Import({ PassedExceptions.class, Assets.class, Views.class, OverviewRoutes.class, PauseRoutes.class,
				JobListRoutes.class, JobRoutes.class, ErrorRoutes.class, ChartRoutes.class, LiveRoutes.class,
				ActionRoutes.class, BulkRoutes.class, DeadRoutes.class, RecurringRoutes.class, BatchRoutes.class,
				WorkflowRoutes.class, WorkflowActions.class, LogRoutes.class })
		static class PageConfiguration {

			@Bean
			DashboardAccess jobQueueDashboardAccess(DashboardProperties settings, Environment environment,
					ListableBeanFactory beans) {
				return AccessFactory.create(settings, environment, beans);
			}

			/**
			 * Before routes of the application that match each path.
			 */
			@Bean
			@Order(0)
			RouterFunction<ServerResponse> jobQueueDashboard(DashboardProperties settings, List<DashboardRoutes> pages,
					DashboardAccess access, Views views) {
				return new DashboardRouter(settings, pages, access, views);
			}

		}

	}

}
